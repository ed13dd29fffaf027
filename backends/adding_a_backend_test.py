#!/usr/bin/env python3
"""Adds a backend to a copy of the repository, with the files in README.md, and builds it there with a Bazel of its own.

    adding_a_backend_test.py README

What passes: the flag takes the new backend, its conformance suite passes, the program built with it says so from inside,
and the matrix of single swaps has it.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

README = pathlib.Path(sys.argv.pop(1)).resolve()
# README is a link out of the test's runfiles to the real file.
WORKSPACE = README.parent.parent

AXIS, BACKEND = "resurrect", "stored"


def code_blocks(text):
    """(path, language, content) of every code block that a line with only a path in backquotes precedes."""
    return re.findall(r"^`([\w/.]+)`\n\n```(\w+)\n(.*?)^```$", text, re.M | re.S)


def apply_diff(text, diff):
    """`text` with the lines marked + put after the unmarked ones before them, which must be there."""
    found = 0
    lines = text.splitlines(True)
    for line in diff.splitlines(True):
        mark, content = line[0], line[1:]
        if mark == " ":
            if content not in lines[found:]:
                raise AssertionError(f"README.md's diff expects a line that is not there:\n{content}")
            found = lines.index(content, found) + 1
        elif mark == "+":
            lines.insert(found, content)
            found += 1
        else:
            raise AssertionError(f"README.md's diff should only add lines: {line}")
    return "".join(lines)


def copy_repository(to):
    """Copies what git tracks or would, as it is now."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=WORKSPACE,
        check=True,
        capture_output=True,
    ).stdout
    for name in filter(None, listed.decode().split("\0")):
        source, target = WORKSPACE / name, to / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


class AddingABackendTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        cls.repository = cls.scratch / "repository"
        copy_repository(cls.repository)
        cls.blocks = code_blocks(README.read_text())
        for path, language, content in cls.blocks:
            target = cls.repository / path
            if language == "diff":
                target.write_text(apply_diff(target.read_text(), content))
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(content)

    @classmethod
    def tearDownClass(cls):
        cls.bazel("shutdown")
        # What Bazel wrote is read-only.
        subprocess.run(["chmod", "-R", "u+w", cls.scratch], check=False)
        shutil.rmtree(cls.scratch, ignore_errors=True)

    @classmethod
    def bazel(cls, *arguments):
        """Runs a Bazel that shares nothing with the one that runs this test, and returns what it printed."""
        environment = {
            "HOME": str(cls.scratch),
            "LC_ALL": "C.UTF-8",
            "PATH": os.environ["PATH"],
            "USER": os.environ.get("USER", "nobody"),
        }
        return subprocess.run(
            [
                "bazel",
                f"--output_user_root={cls.scratch / 'bazel'}",
                # Ends by itself, should this test be killed before it can end it.
                "--max_idle_secs=60",
                *arguments,
            ],
            cwd=cls.repository,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def check(self, *arguments):
        result = self.bazel(*arguments)
        self.assertEqual(result.returncode, 0, result.stdout[-8000:])
        return result.stdout

    def test_a_folder_and_a_line_are_all_it_takes(self):
        folder = f"backends/{AXIS}/{BACKEND}/"
        outside = [path for path, _, _ in self.blocks if not path.startswith(folder)]
        self.assertEqual(outside, ["backends/registry.bzl"])
        ((_, _, diff),) = [block for block in self.blocks if block[1] == "diff"]
        self.assertEqual(len(re.findall(r"^\+", diff, re.M)), 1)

        # Its conformance suite, run: a suite that is never instantiated would pass as well.
        self.check("test", f"//{folder[:-1]}:all")
        log = self.repository / f"bazel-testlogs/{folder}/{BACKEND}_{AXIS}_test/test.log"
        ran = re.search(r"\[  PASSED  \] (\d+) tests?\.", log.read_text())
        self.assertIsNotNone(ran, log.read_text()[-2000:])
        self.assertGreater(int(ran.group(1)), 5)

        # The program is made of it.
        self.check("build", f"--{AXIS}={BACKEND}", "//experiments:lab")
        (lab,) = self.repository.glob("bazel-bin/experiments/lab/lab")
        variant = json.loads(subprocess.run([lab, "variant"], check=True, capture_output=True).stdout)
        self.assertEqual(variant.get("variant", variant)[AXIS], BACKEND)

        # The matrix has it, and a mistyped name is told of it.
        self.check("build", "//backends:registry_json")
        registry = json.loads((self.repository / "bazel-bin/backends/registry.json").read_text())
        (swaps,) = [matrix for matrix in registry["matrices"] if matrix["name"] == "swaps"]
        self.assertIn(f"{AXIS}={BACKEND}", [variant["name"] for variant in swaps["variants"]])
        mistyped = self.bazel("build", f"--{AXIS}={BACKEND}x", "//experiments:lab")
        self.assertNotEqual(mistyped.returncode, 0)
        self.assertRegex(mistyped.stdout, rf'"{BACKEND}x".*\b{BACKEND}\b')


if __name__ == "__main__":
    unittest.main()
