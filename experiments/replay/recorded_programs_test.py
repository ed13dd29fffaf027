#!/usr/bin/python3
"""The recorder's test programs, recorded with the installed Ruby and replayed, checked, on every variant of `swaps`."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

RECORD, MANIFEST = sys.argv[1:3]


class RecordedProgramsTest(unittest.TestCase):
    def test_every_program_is_right_on_every_variant(self):
        with open(MANIFEST, encoding="utf-8") as file:
            variants = json.load(file)
        self.assertGreater(len(variants), 1)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([RECORD, folder], check=True)
            workloads = sorted(name for name in os.listdir(folder) if name.endswith(".workload.gz"))
            self.assertGreater(len(workloads), 10)
            for workload in workloads:
                figures = {}
                for variant in variants:
                    lab = os.path.join("..", variant["binary"])
                    done = subprocess.run(
                        [lab, "run", "replay", "--workload=" + os.path.join(folder, workload), "--json"],
                        capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, (workload, variant["name"], done.stderr, done.stdout))
                    metrics = json.loads(done.stdout)["metrics"]
                    # What the program does is the same on each variant.
                    figures[variant["name"]] = [metrics[name]["value"] for name in
                                                ("events", "names_interned", "iseqs", "allocated_by_mix")]
                self.assertEqual(len({str(f) for f in figures.values()}), 1, (workload, figures))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
