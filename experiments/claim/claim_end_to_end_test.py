#!/usr/bin/python3
"""The claim program as a user runs it, on a small claim and on wrong words."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM, DATA = sys.argv[1:3]


def contents(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run(*arguments, data=True):
    flags = ["--data=" + os.path.abspath(DATA)] if data else []
    return subprocess.run([PROGRAM, *flags, *arguments], capture_output=True, text=True)


class ClaimTest(unittest.TestCase):
    def test_measures_and_judges(self):
        with tempfile.TemporaryDirectory() as folder:
            out = folder + "/out"
            done = run("99999", "--json", "--out=" + out)
            self.assertEqual(done.returncode, 0, done.stderr)
            claim = json.loads(done.stdout)
            fewer, more = claim["statements"]
            self.assertEqual(fewer["rubric"]["before"] - fewer["rubric"]["after"], 100)
            self.assertEqual(fewer["verdict"], "same direction and size")
            self.assertEqual(more["verdict"], "not reproduced")
            self.assertEqual(json.loads(contents(out + "/99999/claim.json")), claim)
            self.assertIn("They do not", contents(out + "/99999/claim.md"))
            graph = contents(out + "/99999/live_bytes.csv").splitlines()
            self.assertEqual(graph[0], "call,baseline,resurrect=shared")
            self.assertGreater(len(graph), 10)
            self.assertIn("</svg>", contents(out + "/99999/live_bytes.svg"))
            self.assertTrue(os.path.exists(out + "/99999/report/index.html"))
            # A folder that holds results is not written to again.
            again = run("99999", "--out=" + out)
            self.assertEqual(again.returncode, 2, again.stderr)

    def test_lists_the_shipped_claims(self):
        done = run("list", data=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for claim in ["10096", "11170", "14460", "15349", "4962"]:
            self.assertIn(claim + "  ", done.stdout)

    def test_refuses_wrong_words(self):
        for arguments, error in [
            ([], "expected list, all, or the numbers"),
            (["99998"], "no claim '99998'. Did you mean 99999?"),
            (["99999", "--rounds=0x"], "rounds"),
            (["99999", "--rounds=-1"], "--rounds: expected a number from 1 to 1000"),
            (["99999", "--timeout=nan"], "--timeout"),
            (["99999", "--data=/nowhere"], "expected a folder of claims"),
        ]:
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stdout))
            self.assertIn(error, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
