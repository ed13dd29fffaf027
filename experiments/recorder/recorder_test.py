#!/usr/bin/python3
"""record.rb on small programs whose right workload is known, with the installed Ruby."""

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

RECORDER = os.path.abspath(sys.argv[1])


class Workload:
    """A workload file, read whole, its strings and iseqs by name."""

    def __init__(self, path):
        with gzip.open(path) as file:
            data = file.read()
        lines = data.splitlines(keepends=True)
        self.end = json.loads(lines[-1])
        self.crc32 = "%08x" % zlib.crc32(b"".join(lines[:-1]))
        self.lines = [json.loads(line) for line in lines]
        self.data = data
        self.strings = [s for line in self.all("strings") for s in line["list"]]

    def all(self, op):
        return [line for line in self.lines if line.get("op") == op]

    def mark(self, name):
        return next(mark for mark in self.all("mark") if mark["name"] == name)

    def text(self, number):
        """A string as text; None where its contents were withheld."""
        string = self.strings[number]
        if isinstance(string, list):
            string = string[0]
        if isinstance(string, dict):
            return bytes.fromhex(string["hex"])
        return string if isinstance(string, str) else None

    def iseqs(self):
        return [iseq for line in self.all("code") for iseq in line["iseqs"]]

    def literals(self):
        """[length, kinds, times, how] of each array literal."""
        literals = [literal + [0, 0] for iseq in self.iseqs() for literal in iseq[6]]
        for line in self.all("evaluated"):
            for number, times, how in line["literals"]:
                literals[number][2] += times
                literals[number][3] |= how
        return literals

    def requires(self):
        """(name, how, result) in order; what `new` ended with in place of it."""
        found, open_of = [], {}
        for line in self.lines:
            thread = line.get("thread", 0)
            if line.get("op") == "require":
                if line["result"] == "new":
                    open_of.setdefault(thread, []).append(len(found))
                found.append((line["name"], line["how"], line["result"]))
            elif line.get("op") == "required":
                at = open_of[thread].pop()
                found[at] = found[at][:2] + (line["result"],)
        assert not any(open_of.values()), "a require is left open"
        return found


class RecorderTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = self.path("out.gz")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, source):
        with open(self.path(name), "wb") as file:
            file.write(source if isinstance(source, bytes) else source.encode())

    def run_ruby(self, source, text=True, **files):
        self.write("main.rb", source)
        environment = {**os.environ, "RUBRIC_OUT": self.out, "RUBRIC_TEXT": "1" if text else "0",
                       "LC_ALL": "C.UTF-8"}
        return subprocess.run(["ruby", "-I", self.folder.name, "-r", RECORDER, self.path("main.rb")],
                              capture_output=True, env=environment, timeout=120)

    def record(self, source, text=True, status=0):
        done = self.run_ruby(source, text)
        self.assertEqual(done.returncode, status, done.stderr)
        workload = Workload(self.out)
        self.assertEqual(workload.end, {"op": "end", "lines": len(workload.lines) - 1,
                                        "crc32": workload.crc32})
        return workload

    def program_requires(self, workload):
        """Requires of the program's own files, named by their last component."""
        return [(os.path.basename(name), how, result) for name, how, result in workload.requires()
                if isinstance(name, str) and "mine" in name]

    def test_literals_are_counted(self):
        workload = self.record("""
def f = [1, 2, 3, :f]
10.times { f }
1000.times { [1, 2, 3, 4, :g] }
i = 0
while i < 500
  x = [1, 2, 3, 4, 5, :h]
  i += 1
end
[7, 7, 7, 7, 7, 7, :j].each { |y| [8, 8, 8, 8, 8, 8, 8, :k] }
%i[a b c d e f g h i].each { }
def defaults(x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, :d])
  x
end
3.times { defaults }
defaults(1)
if i < 0
  [nil, true, 1.5, :a, 2, 3, 4, 5, 6, 7]
end
""")
        counts = {(length, kinds): (times, how) for length, kinds, times, how in workload.literals()}
        self.assertEqual(counts[4, "i3y1"], (10, 0))
        self.assertEqual(counts[5, "i4y1"], (1000, 0))
        self.assertEqual(counts[6, "i5y1"], (500, 0))
        self.assertEqual(counts[7, "i6y1"], (1, 0))
        self.assertEqual(counts[8, "i7y1"], (7, 0))
        self.assertEqual(counts[9, "y9"], (1, 0))
        self.assertEqual(counts[11, "i10y1"], (4, 1))  # a default: how often the method was called
        self.assertEqual(counts[10, "n2f1y1i6"], (0, 0))

    def test_literals_of_required_files_are_counted(self):
        self.write("mine.rb", "def g\n  x = [1, 2, 3, 4]\nend\n")
        workload = self.record("require 'mine'\n123.times { g }\n")
        self.assertIn([4, "i4", 123, 0], workload.literals())

    def test_literals_of_files_behind_symbolic_links_are_counted(self):
        self.write("real.rb", "def g\n  x = [1, 2, 3, 4]\nend\n")
        os.symlink(self.path("real.rb"), self.path("mine.rb"))
        workload = self.record("require 'mine'\n123.times { g }\n")
        self.assertIn([4, "i4", 123, 0], workload.literals())
        self.assertEqual(self.program_requires(workload), [("mine", "require", "loaded")])

    def test_requires(self):
        self.write("mine_a.rb", "require 'mine_b'\nrequire_relative 'mine_c'\n")
        self.write("mine_b.rb", "")
        self.write("mine_c.rb", "")
        self.write("mine_raises.rb", "X = 1\nraise 'in the middle'\n")
        self.write("mine_syntax.rb", "def (")
        self.write("mine_auto.rb", "module MineAuto; end")
        workload = self.record("""
require 'mine_a'
require 'mine_b'
2.times { load 'mine_c.rb' }
begin; require 'mine_raises'; rescue RuntimeError; end
begin; require 'mine_syntax'; rescue SyntaxError; end
begin; require 'mine_none'; rescue LoadError; end
class Object; autoload :MineAuto, 'mine_auto'; end
MineAuto
""")
        self.assertEqual(self.program_requires(workload), [
            ("mine_a", "require", "loaded"), ("mine_b", "require", "loaded"),
            ("mine_c", "require_relative", "loaded"), ("mine_b", "require", "old"),
            ("mine_c.rb", "load", "loaded"), ("mine_c.rb", "load", "loaded"),
            ("mine_raises", "require", "raised"), ("mine_syntax", "require", "raised"),
            ("mine_none", "require", "failed"), ("mine_auto", "autoload", "loaded")])

    def test_threads(self):
        for name in "abcd":
            self.write("mine_%s.rb" % name, "sleep 0.02\n")
        workload = self.record(
            "%w[a b c d].map { |n| Thread.new { require \"mine_#{n}\" } }.each(&:join)")
        requires = [line for line in workload.all("require") if "mine" in str(line["name"])]
        self.assertEqual(len({line["thread"] for line in requires}), 4)
        self.assertEqual({r[2] for r in self.program_requires(workload)}, {"loaded"})

    def test_census_is_what_ruby_reports(self):
        program = """
class Mine; def initialize; @a = 1; @b = 2; end; end
class Other; end
KEEP = Array.new(7) { Mine.new } + Array.new(3) { Other.new } + Array.new(5) { +"held" * 100 }
KEEP.last.instance_variable_set(:@note, 1)
at_exit { GC.start; puts Symbol.all_symbols.size, $LOADED_FEATURES.size, ObjectSpace.count_objects[:T_OBJECT] }
"""
        # The program's at_exit runs before the recorder's.
        done = self.run_ruby(program)
        symbols, features, objects = map(int, done.stdout.split())
        workload = Workload(self.out)
        end = workload.mark("exit")
        self.assertEqual(end["symbols"]["live"], symbols)
        self.assertEqual(end["features"], features)
        self.assertEqual(end["slots"]["T_OBJECT"], objects)
        mine = {(workload.text(klass), tuple(workload.text(ivar) for ivar in ivars)): count
                for klass, ivars, count in end["objects"]}
        self.assertEqual(mine["Mine", ("@a", "@b")], 7)
        self.assertEqual(mine["Other", ()], 3)
        noted = [(kind, workload.text(klass), [workload.text(i) for i in ivars], count)
                 for kind, klass, ivars, count in end["ivars"]]
        self.assertIn(("T_STRING", "String", ["@note"], 1), noted)
        self.assertIn([400, 5], [row[:2] for row in end["strings"]])
        self.assertEqual(sum(count for _, _, count in end["objects"]), end["slots"]["T_OBJECT"])

    def test_symbols_that_are_collected(self):
        workload = self.record("""
KEEP = 100.times.map { |i| "kept symbol #{i}".to_sym }
100.times { |i| "dead symbol #{i}".to_sym }
Rubric.mark("middle")
""")
        added = {workload.text(s) for s in workload.mark("middle")["symbols"]["add_dynamic"]}
        self.assertIn("kept symbol 7", added)
        self.assertNotIn("dead symbol 7", added)

    def test_odd_names(self):
        self.write("m\xefine-\xff.rb".encode("latin-1").decode("latin-1"), "")
        workload = self.record("# coding: iso-8859-1\nX = \"\xe9\xe8\".freeze\n"
                               "Y = :\"with\\0nul\"\nZ = :\"\\xff\\xfe\"\nputs X.encoding\n"
                               .encode("latin-1"))
        texts = [workload.text(n) for n in range(len(workload.strings))]
        self.assertIn("with\0nul", texts)
        self.assertIn(b"\xff\xfe", texts)
        self.assertIn(b"\xe9\xe8", texts)

    def test_a_large_literal_and_frozen_strings(self):
        elements = ", ".join(str(i) for i in range(200_000))
        workload = self.record("# frozen_string_literal: true\nBIG = [%s]\nS = ['a', 'b']\n" % elements)
        self.assertIn([200_000, "i200000", 1, 0], workload.literals())
        self.assertIn([2, "s2", 1, 0], workload.literals())

    def test_what_the_language_has(self):
        workload = self.record("""
module Refined; refine String do; def shout = upcase; end; end
using Refined
klass = Class.new { def anonymous = 1; attr_accessor :made }
eval "def evaluated = [1, 2, 3, 4]"
klass.class_eval { define_method(:defined) { } }
case :a when :b then 1 when "c" then 2 end
def defaults(x = [1, 2, 3, 4, 5]) = x
begin; raise; rescue => e; [9, 9, 9, 9, 9, 9, 9]; end
""")
        kinds = [iseq[0] for iseq in workload.iseqs()]
        self.assertEqual(set(kinds), set("tmbco"))
        self.assertTrue(any(line["file"] is None for line in workload.all("code")))
        for line in workload.all("code"):
            for index, iseq in enumerate(line["iseqs"]):
                self.assertLess(iseq[1], index, "parents come before children")

    def test_contents_are_withheld(self):
        self.write("mine_secretfile.rb", "A = 'secretliteral'\n:secretsymbol\n@secretivar = 1\n")
        workload = self.record("require 'mine_secretfile'\nB = 'secret/path/in/a/string'\n"
                               "class SecretClass; end\n", text=False)
        self.assertNotIn(b"secret", workload.data.lower())
        self.assertNotIn(os.path.basename(self.folder.name).encode(), workload.data)
        # What the program requires by name is found by name among the renamed files.
        name = next(l["name"] for l in workload.all("require") if len(l["name"]) == len("mine_secretfile"))
        feature = next(workload.text(l["feature"]) for l in workload.all("require")
                       if l["name"] == name)
        self.assertEqual(os.path.basename(feature), name + ".rb")
        for line in workload.all("strings"):
            for string in line["list"]:
                text = string[0] if isinstance(string, list) else string
                if isinstance(text, str):
                    self.assertGreaterEqual(len(text.encode()), 4)
                    self.assertNotIn("\x01", text)

    def test_ends(self):
        # By a signal that Ruby turns into an exception, by exit, by an exception: the workload is written.
        for source, status in [("exit 3", 3), ("raise 'x'", 1), ("abort 'x'", 1),
                               ("Process.kill(:TERM, $$); sleep", -signal.SIGTERM)]:
            if os.path.exists(self.out):
                os.unlink(self.out)
            done = self.run_ruby(source)
            self.assertEqual(done.returncode, status, done.stderr)
            Workload(self.out).mark("exit")
        # What cannot be seen leaves nothing behind under the file's name.
        os.unlink(self.out)
        self.run_ruby("exit!")
        self.assertFalse(os.path.exists(self.out))

    def test_a_super_that_ran_reads_as_one_that_did_not(self):
        self.write("mine.rb", "class Mine; def to_s(*) = super; def dup = super(); end")
        codes = []
        for source in ["require 'mine'", "require 'mine'; m = Mine.new; m.to_s; m.dup"]:
            workload = self.record(source)
            code = next(line for line in workload.all("code")
                        if workload.text(line["file"]).endswith("/mine.rb"))
            codes.append([[workload.text(name // 2) for name in iseq[5]] for iseq in code["iseqs"]])
        self.assertEqual(codes[0], codes[1])

    def test_code_from_a_cache(self):
        # As bootsnap does it.
        self.write("mine.rb", "def g = [1, 2, 3, 4, :g]\ndef h\n  [1, 2, 3, :h]\nend\n")
        workload = self.record("""
class << RubyVM::InstructionSequence
  def load_iseq(path) = load_from_binary(compile(File.read(path), path, path).to_binary)
end
require 'mine'
30.times { g; h; h }
""")
        self.assertEqual(self.program_requires(workload), [("mine", "require", "loaded")])
        self.assertIn([5, "i4y1", 30, 0], workload.literals())
        self.assertIn([4, "i3y1", 60, 0], workload.literals())

    def test_a_forked_child_records_nothing(self):
        # After a mark: a child must not write again what was in its copy of a buffer.
        workload = self.record("Rubric.mark('middle'); pid = fork { require 'set'; exit }\n"
                               "Process.wait(pid)\nputs 1\n")
        self.assertEqual(len(workload.all("end")), 1)
        self.assertEqual([f for f in os.listdir(self.folder.name) if "partial" in f], [])

    def test_a_file_that_cannot_be_written_is_told(self):
        self.out = "/nowhere/out.gz"
        done = self.run_ruby("puts 1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(b"/nowhere/out.gz", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
