#!/usr/bin/python3
"""The programs of testdata, as record_testdata records them: what workloads must say."""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest
import zlib

SCRIPT = os.path.abspath(sys.argv[1])


def text(string):
    """A string of a workload as text, or bytes; None where its contents were withheld."""
    if isinstance(string, list):
        string = string[0]
    if isinstance(string, dict):
        return bytes.fromhex(string["hex"])
    return string if isinstance(string, str) else None


def record(folder, keep_text):
    environment = {**os.environ, "RUBRIC_TEXT": "1" if keep_text else "0", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([SCRIPT, folder], env=environment, capture_output=True, timeout=200)
    assert done.returncode == 0, done.stderr
    workloads = {}
    for name in sorted(os.listdir(folder)):
        with gzip.open(os.path.join(folder, name)) as file:
            workloads[name.split(".")[0]] = file.read()
    return workloads


class Reading:
    """A workload's lines, read once in order; fails where one breaks the format's rules."""

    def __init__(self, data):
        lines = data.splitlines(keepends=True)
        end = json.loads(lines[-1])
        assert end == {"op": "end", "lines": len(lines) - 1,
                       "crc32": "%08x" % zlib.crc32(b"".join(lines[:-1]))}, end
        self.strings, self.requires, self.literals, self.marks = [], [], [], []
        self.opened = {}
        for line in map(json.loads, lines[1:-1]):
            getattr(self, "read_" + line["op"])(line)
        assert not any(self.opened.values()), "a require is left open"
        assert self.marks[0] == "start" and self.marks[-1] == "exit", self.marks

    def check(self, ids):
        for number in ids:
            assert 0 <= number < len(self.strings), "string %d is not defined" % number

    def read_strings(self, line):
        self.strings += [text(string) for string in line["list"]]

    def read_load_path(self, line):
        self.check(line["folders"])

    def read_features(self, line):
        self.check(line["list"])

    def read_symbols(self, line):
        self.check(line["list"])

    def read_allocated(self, line):
        assert line["slots"] > 0

    def read_require(self, line):
        if line["feature"] is not None:
            self.check([line["feature"]])
        if line["result"] == "new":
            self.opened.setdefault(line.get("thread", 0), []).append(len(self.requires))
        self.requires.append((line["name"], line["how"], line["result"]))

    def read_required(self, line):
        at = self.opened[line.get("thread", 0)].pop()
        self.requires[at] = self.requires[at][:2] + (line["result"],)

    def read_code(self, line):
        self.check([] if line["file"] is None else [line["file"]])
        for index, iseq in enumerate(line["iseqs"]):
            kind, parent, label, words, _, names, literals, ivars = iseq
            assert kind in "tmbco" and -1 <= parent < index and words > 0
            self.check([label] + ivars + [name // 2 for name in names])
            self.literals += [[length, kinds, 0, 0] for length, kinds in literals]

    def read_evaluated(self, line):
        for number, times, how in line["literals"]:
            self.literals[number][2] += times
            self.literals[number][3] |= how

    def read_mark(self, line):
        self.marks.append(line["name"])
        for field in ("add", "add_dynamic", "gone"):
            self.check(line["symbols"][field])
        self.check(line["fstrings"]["add"] + line["fstrings"]["gone"])
        for klass, ivars, _ in line["objects"]:
            self.check([klass] + ivars)
        for _, klass, ivars, _ in line["ivars"]:
            self.check([klass] + ivars)
        self.mark = line


class TestdataTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as kept, tempfile.TemporaryDirectory() as withheld:
            cls.kept = {name: Reading(data) for name, data in record(kept, True).items()}
            cls.withheld = record(withheld, False)

    def requires(self, program):
        return [(name if isinstance(name, dict) else os.path.basename(name), how, result)
                for name, how, result in self.kept[program].requires]

    def test_withheld_workloads_say_the_same(self):
        for name, data in self.withheld.items():
            withheld, kept = Reading(data), self.kept[name]
            self.assertEqual(withheld.literals, kept.literals, name)
            if name != "threads":
                self.assertEqual([r[1:] for r in withheld.requires], [r[1:] for r in kept.requires])
            for word in (b"leaf", b"half way", b"quiet", b"kept ", b"with ivars", b"twig"):
                self.assertNotIn(word, data, name)

    def test_requires(self):
        self.assertEqual(self.requires("raises"), [
            ("stops_half_way", "require", "raised"), ("leaf", "require", "loaded"),
            ("stops_half_way", "require", "raised"), ("leaf", "require", "old")])
        self.assertEqual(self.requires("load_twice"), [("leaf.rb", "load", "loaded")] * 3)
        self.assertEqual(self.requires("syntax_error"), [("is_no_ruby", "require", "raised")])
        self.assertIn(("twig", "autoload", "loaded"), self.requires("autoload"))
        self.assertNotIn("branch", [name for name, _, _ in self.requires("autoload")])
        self.assertEqual(self.requires("forks"), [("leaf", "require", "loaded")])
        self.assertEqual(self.requires("signal"), [("leaf", "require", "loaded")])

    def test_what_handlers_load_last_is_recorded(self):
        self.assertEqual(self.requires("at_exit"), [
            ("leaf", "require", "loaded"), ("branch", "require", "loaded"),
            ("leaf", "require", "old"), ("leaf", "require_relative", "old")])

    def test_each_file_is_loaded_by_one_thread(self):
        loaded = [name for name, _, result in self.requires("threads") if result == "loaded"]
        self.assertEqual(sorted(loaded), ["branch", "leaf", "set"])

    def test_literals(self):
        literals = self.kept["literals"].literals
        for known in ([2, "i1y1", 1000, 0], [3, "n2f1", 2000, 0], [4, "i4", 3, 0],
                      [5, "i5", 10, 0]):
            self.assertIn(known, literals)
        self.assertIn([200_000, "i200000", 1, 0], self.kept["large_literal"].literals)

    def test_names_that_are_no_text(self):
        strings = self.kept["not_utf8"].strings
        self.assertTrue(any(isinstance(string, bytes) and string.endswith(b"/d\xe9j\xe0/f\xeate.rb")
                            for string in strings))
        self.assertIn(b"\xe9t\xe9", strings)
        self.assertTrue({"a\0b", b"\xff\xfe", "long" * 1000} <= set(self.kept["symbols"].strings))

    def test_symbols_that_die(self):
        reading = self.kept["symbols"]
        added = [reading.strings[number] for number in reading.mark["symbols"]["add_dynamic"]]
        self.assertEqual(sum(str(name).startswith("kept ") for name in added), 100)
        self.assertEqual(sum(str(name).startswith("dies ") for name in added), 0)

    def test_ivars_by_type(self):
        reading = self.kept["classes"]
        noted = {kind: count for kind, _, ivars, count in reading.mark["ivars"]
                 if [reading.strings[ivar] for ivar in ivars] == ["@note"]}
        for kind in ("T_STRING", "T_ARRAY", "T_HASH", "T_DATA"):
            self.assertEqual(noted[kind], 5, kind)
        objects = [count for _, ivars, count in reading.mark["objects"]
                   if [reading.strings[i] for i in ivars] == ["@a", "@b", "@own", "@note"]]
        self.assertEqual(sum(objects), 5)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
