#!/usr/bin/python3
"""Reads what `lab dump` writes as heap-dump tools do: counts by type, follows references, adds up memsizes."""

import collections
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

LAB, WORKLOAD = sys.argv.pop(1), sys.argv.pop(1)


def lab(*words, **options):
    return subprocess.run([LAB, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **options)


def read(dump):
    """(roots, objects by address) of a dump's bytes."""
    roots, objects = [], {}
    for line in dump.decode("ascii").splitlines():
        entry = json.loads(line)
        if entry["type"] == "ROOT":
            roots.append(entry)
            continue
        assert entry["address"] not in objects, line
        objects[entry["address"]] = entry
    return roots, objects


def reachable(roots, objects):
    """The addresses that the roots reach, by references and classes."""
    waiting = [address for root in roots for address in root.get("references", [])]
    seen = set()
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        entry = objects[address]
        waiting += entry.get("references", [])
        if "class" in entry:
            waiting.append(entry["class"])
    return seen


class DumpTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def dump(self, *words):
        """Lets the lab write a dump, and reads it."""
        path = os.path.join(self.folder, "heap.json")
        end = lab("dump", *words, "--out=" + path)
        self.assertEqual((end.returncode, end.stdout, end.stderr), (0, b"", b""))
        with open(path, "rb") as file:
            dump = file.read()
        self.assertEqual(os.listdir(self.folder), ["heap.json"])
        return read(dump)

    def test_every_reference_resolves(self):
        for words in (["array_literal", "--count=500"], ["generic_ivars", "--objects=300", "--op=get"],
                      ["require", "--features=200"], ["tls_clients", "--clients=20"], ["intern", "--size=300"]):
            with self.subTest(words[0]):
                roots, objects = self.dump(*words)
                self.assertEqual([root["root"] for root in roots], ["vm", "machine_context"])
                for entry in roots + list(objects.values()):
                    named = entry.get("references", []) + [entry[key] for key in ("class", "superclass") if key in entry]
                    self.assertEqual([address for address in named if address not in objects], [], entry)

    def test_counts_by_type_are_those_of_the_experiment(self):
        roots, objects = self.dump("generic_ivars", "--objects=300", "--type=data", "--ivars=3")
        clients = [entry for entry in objects.values() if entry["type"] == "DATA"]
        self.assertEqual(len(clients), 300)
        classes = {entry["class"] for entry in clients}
        self.assertEqual([objects[address]["name"] for address in classes], ["Client"])
        held = reachable(roots, objects)
        self.assertTrue(all(entry["address"] in held for entry in clients), "the experiment holds them")

    def test_memsize_tells_what_a_literal_costs(self):
        # CRuby's own figure for arrays of 4 elements that own a buffer.
        _, objects = self.dump("array_literal", "--count=100", "--elements=4")
        sizes = collections.Counter(
            entry["memsize"] for entry in objects.values() if entry["type"] == "ARRAY" and entry["length"] == 4)
        self.assertGreaterEqual(sizes[72], 100)

    def test_memsizes_add_up_to_the_slots_and_what_they_own(self):
        _, objects = self.dump("tls_clients", "--clients=10")
        connections = [entry for entry in objects.values() if entry.get("struct") == "OpenSSL/SSL"]
        self.assertEqual(len(connections), 10)
        total = sum(entry["memsize"] for entry in objects.values())
        self.assertGreater(total, 40 * len(objects) + sum(entry["memsize"] - 40 for entry in connections) - 1)
        self.assertTrue(all(entry["memsize"] >= 40 for entry in objects.values()))
        # A connection refers to its socket, its context and its two buffers.
        for entry in connections:
            types = collections.Counter(objects[address]["type"] for address in entry["references"])
            self.assertEqual(types, {"DATA": 2, "STRING": 2})

    def test_a_workloads_path_dumps_what_it_leaves(self):
        if b'"replay"' not in lab("list", "--json").stdout:
            self.skipTest("this lab replays nothing")
        roots, objects = self.dump(WORKLOAD)
        for entry in roots + list(objects.values()):
            for address in entry.get("references", []):
                self.assertIn(address, objects)
        names = {entry.get("name") for entry in objects.values()}
        self.assertIn("String", names)
        end = lab("run", "replay", "--workload=" + WORKLOAD, "--json")
        self.assertEqual(end.returncode, 0, end.stderr)
        replayed = json.loads(end.stdout)["metrics"]["slots_live"]["value"]
        # The measured part begins with what the VM itself has made.
        self.assertGreaterEqual(len(objects), replayed)
        self.assertLess(len(objects), replayed + 200)
        self.assertGreater(len(reachable(roots, objects)), len(objects) / 2)

    def test_standard_output_takes_it_too(self):
        end = lab("dump", "array_literal", "--count=10")
        self.assertEqual((end.returncode, end.stderr), (0, b""))
        _, objects = read(end.stdout)
        self.assertGreater(len(objects), 10)

    def test_equal_runs_write_equal_dumps(self):
        # Addresses stand for the order in which they first occur.
        def normalized():
            names = {}
            roots, objects = self.dump("intern", "--size=200")
            text = json.dumps([roots, list(objects.items())])
            for address in objects:
                names[address] = "@%d" % len(names)
            return [names.get(word, word) for word in text.split('"')]

        self.assertEqual(normalized(), normalized())

    def test_a_full_disk_leaves_no_file(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        path = os.path.join(self.folder, "heap.json")
        with open(path, "w", encoding="ascii") as file:
            file.write("of yesterday")
        end = lab("dump", "array_literal", "--count=2000", "--out=" + path, preexec_fn=limit)
        self.assertEqual(end.returncode, 2, end.stderr)
        self.assertIn(b"heap.json: cannot be written", end.stderr)
        self.assertEqual(os.listdir(self.folder), ["heap.json"])
        with open(path, encoding="ascii") as file:
            self.assertEqual(file.read(), "of yesterday")
        with open("/dev/full", "wb") as full:
            end = subprocess.run([LAB, "dump", "array_literal"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(end.returncode, 2)
        self.assertIn(b"standard output cannot be written", end.stderr)

    def test_bad_usage(self):
        for words, message in (([], b"expected the name of an experiment"),
                               (["arry_literal"], b"did you mean 'array_literal'?"),
                               (["array_literal", "--cuont=1"], b"--count"),
                               (["array_literal", "--out=" + self.folder + "/no/heap.json"], b"No such file"),
                               (["require", "--feature_list=" + self.folder + "/none"], b"none")):
            with self.subTest(words):
                end = lab("dump", *words)
                self.assertEqual((end.returncode, end.stdout), (2, b""))
                self.assertIn(message, end.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_replaces_no_device_and_no_input(self):
        end = lab("dump", "array_literal", "--out=/dev/null")
        self.assertEqual(end.returncode, 2)
        self.assertIn(b"is no regular file", end.stderr)
        path = os.path.join(self.folder, "features")
        with open(path, "w", encoding="ascii") as file:
            file.write("/a/b.rb\n")
        end = lab("dump", "require", "--feature_list=" + path, "--out=" + path)
        self.assertEqual(end.returncode, 2)
        self.assertIn(b"is the file of --feature_list", end.stderr)
        with open(path, encoding="ascii") as file:
            self.assertEqual(file.read(), "/a/b.rb\n")


if __name__ == "__main__":
    unittest.main()
