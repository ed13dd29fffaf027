#!/usr/bin/python3
"""End-to-end tests of `compare`: what it writes, prints and exits with, on good, damaged and hostile results."""

import csv
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.environ["TEST_SRCDIR"], os.environ["TEST_WORKSPACE"])
sys.path.insert(0, os.path.join(ROOT, "reports/testing"))
import synthetic_results  # noqa: E402  (found by the line above)

COMPARE = os.path.join(ROOT, "reports/compare")
EVIL = "</script><img src=x onerror=alert(1)>|`'\"\n=cmd()\x1b[31m"


def compare(*arguments, cwd=None, env=None):
    """Runs `compare`; its exit status, standard output and standard error."""
    done = subprocess.run([COMPARE, *arguments], cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True,
                          timeout=60, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class CompareTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ["TEST_TMPDIR"])
        self.run_folder = os.path.join(self.folder, "run")

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def read(self, *parts):
        with open(self.path(*parts), encoding="utf-8", newline="") as file:
            return file.read()

    def assert_usage_error(self, outcome, *expected):
        status, out, err = outcome
        self.assertEqual(status, 2, err)
        self.assertEqual(out, "")
        self.assertTrue(err.startswith("error: "), err)
        self.assertEqual(err.count("\n"), 1, err)
        for text in expected:
            self.assertIn(text, err)

    def test_writes_a_report_of_three_files(self):
        records = synthetic_results.make(self.run_folder)
        status, out, err = compare(self.run_folder)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("Least memory: resurrect=shared", out)
        self.assertIn("control (A/A control)", out)
        self.assertIn("8 of 8", out)
        self.assertTrue(out.endswith(f"Report: {self.path('run/report/index.html')}\n"))
        self.assertEqual(sorted(os.listdir(self.path("run/report"))), ["index.html", "report.md", "samples.csv"])
        with open(self.path("run/report/samples.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), sum(len(record["metrics"]) for record in records))
        first = records[0]
        self.assertEqual(rows[0]["experiment"], first["experiment"])
        self.assertEqual(float(rows[0]["value"]), first["metrics"]["malloc_calls"]["value"])
        self.assertIn("## Verdict", self.read("run/report/report.md"))
        self.assertIn("<h2 id=\"verdict-title\">", self.read("run/report/index.html"))

    def test_writes_where_it_is_told_and_replaces_what_was_there(self):
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        os.makedirs(self.path("out"))
        with open(self.path("out/report.md"), "w") as file:
            file.write("old")
        status, _, err = compare(self.run_folder, "--out", self.path("out"), "--baseline=interning=khash")
        self.assertEqual(status, 0, err)
        self.assertIn("`interning=khash`", self.read("out/report.md"))
        self.assertEqual(len(os.listdir(self.path("out"))), 3)

    def test_paths_are_relative_to_the_user(self):
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        status, _, err = compare("run", "--out=there", cwd="/", env={"BUILD_WORKING_DIRECTORY": self.folder})
        self.assertEqual(status, 0, err)
        self.assertTrue(os.path.exists(self.path("there/index.html")))

    def test_reads_many_folders_and_files(self):
        swaps = synthetic_results.SWAPS
        synthetic_results.make(self.path("a"), variants=swaps[:1], control=False)
        synthetic_results.make(self.path("b"), variants=swaps[1:3], seed=2, control=False)
        status, out, err = compare(self.path("a"), self.path("b/results.jsonl"), f"--out={self.path('out')}")
        self.assertEqual(status, 0, err)
        self.assertIn("interning=st_open", out)
        self.assertIn("There is no A/A control", out)

    def test_failed_cells_are_states_and_exit_three(self):
        synthetic_results.make(self.run_folder, failures=True)
        status, out, err = compare(self.run_folder)
        self.assertEqual(status, 3, err)
        self.assertIn("7 of 8", out)
        for state in ["timed out", "failed", "wrong result", "missing"]:
            self.assertIn(state, out)
            self.assertIn(state, self.read("run/report/report.md"))
            self.assertIn(state, self.read("run/report/index.html"))
        self.assertIn("ended by signal 11 (SIGSEGV)", self.read("run/report/index.html"))

    def test_an_exact_metric_that_differs_is_said_with_both_lines(self):
        def edit(record):
            if record["variant_name"] == "interning=khash" and record["run"]["pass"] == "time" and \
                    record["run"]["round"] == 3:
                record["metrics"]["peak_bytes"]["value"] += 16
            return record
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1], edit=edit)
        status, out, _ = compare(self.run_folder)
        self.assertEqual(status, 3)
        self.assertIn("not repeatable: exact metric peak_bytes is ", out)

    def test_fail_on(self):
        synthetic_results.make(self.run_folder)
        status, out, err = compare(self.run_folder, "--fail_on=peak_bytes>1.2,malloc_calls>1")
        self.assertEqual(status, 1, err)
        self.assertIn("Regression: intern: peak_bytes of interning=robin_map is 1.3", out)
        self.assertTrue(os.path.exists(self.path("run/report/index.html")))
        self.assertEqual(compare(self.run_folder, "--fail_on=peak_bytes>1.5")[0], 0)
        self.assertEqual(compare(self.run_folder, "--fail_on=cpu_s>1.1")[0], 1)
        self.assert_usage_error(compare(self.run_folder, "--fail_on=peak_byte>1"), "Did you mean peak_bytes?")
        self.assert_usage_error(compare(self.run_folder, "--fail_on=peak_bytes"), "as in peak_bytes>1.05")

    def test_a_step_from_nothing_is_a_regression(self):
        def edit(record):
            if "gc_count" in record["metrics"]:
                record["metrics"]["gc_count"]["value"] = 10 if record["variant_name"] == "interning=khash" else 0
            return record
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1], edit=edit)
        status, out, err = compare(self.run_folder, "--fail_on=gc_count>1.05")
        self.assertEqual(status, 1, err)
        self.assertIn("gc_count of interning=khash is 10 where the baseline's is 0", out)
        self.assertIn("0 → 10", self.read("run/report/report.md"))
        self.assertIn("0 → 10", self.read("run/report/index.html"))

    def test_where_all_failed_nothing_is_claimed_and_no_rule_is_wrong(self):
        def edit(record):
            record.update(status="failed", reason="crashed", metrics={}, subsystems={})
            return record
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1], edit=edit)
        status, out, err = compare(self.run_folder, "--fail_on=peak_bytes>1.05")
        self.assertEqual((status, err), (3, ""))
        self.assertIn("Least memory: cannot be said", out)
        self.assertNotIn("no variant beats", out)

    def test_unknown_names(self):
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        self.assert_usage_error(compare(self.run_folder, "--baseline=interning=kash"),
                                "Did you mean interning=khash?", "ivars=index")
        self.assert_usage_error(compare(self.run_folder, "--basline=x"), "Did you mean baseline?")
        self.assertFalse(os.path.exists(self.path("run/report")))

    def test_help_and_usage(self):
        status, out, err = compare("--help")
        self.assertEqual((status, err), (0, ""))
        for text in ["--baseline", "--out", "--fail_on", "--force", "Exit status"]:
            self.assertIn(text, out)
        self.assert_usage_error(compare(), "expected a results folder")
        self.assert_usage_error(compare(""), "found empty text")
        self.assert_usage_error(compare(self.path("gone")), "No such file or directory")
        os.makedirs(self.path("empty"))
        self.assert_usage_error(compare(self.path("empty")), "found no results.jsonl")
        os.makedirs(self.path("none"))
        open(self.path("none/results.jsonl"), "w").close()
        self.assert_usage_error(compare(self.path("none")), "no records in")
        self.assert_usage_error(compare("/dev/zero"), "found neither")

    def test_unreadable_folder(self):
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        os.chmod(self.run_folder, 0)
        try:
            if os.access(self.run_folder, os.R_OK):
                self.skipTest("permissions do not bind this user; files_test.cc has the case")
            self.assert_usage_error(compare(self.run_folder), "Permission denied")
        finally:
            os.chmod(self.run_folder, stat.S_IRWXU)

    def test_a_report_that_cannot_be_written_is_an_error(self):
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        with open(self.path("file"), "w") as file:
            file.write("in the way")
        self.assert_usage_error(compare(self.run_folder, f"--out={self.path('file/report')}"), "cannot be made")

    def test_a_report_appears_as_a_whole_or_not_at_all(self):
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        for last in ["report.md", "samples.csv", "index.html"]:
            out = self.path("out-" + last)
            os.makedirs(os.path.join(out, last, "in the way"))
            others = {"report.md", "samples.csv", "index.html"} - {last}
            for name in others:
                with open(os.path.join(out, name), "w") as file:
                    file.write("the report before")
            self.assert_usage_error(compare(self.run_folder, f"--out={out}"), f"{last}: cannot be written")
            self.assertEqual(len(os.listdir(out)), 3)
            for name in others:
                self.assertEqual(self.read(os.path.join(out, name)), "the report before")

    def test_output_that_does_not_arrive_is_an_error(self):
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        for arguments in [["--help"], [self.run_folder]]:
            with open("/dev/full", "w") as full:
                done = subprocess.run([COMPARE, *arguments], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr), (2, b"error: cannot write to standard output\n"))

    def test_impossible_records_are_refused_with_their_line(self):
        records = synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        for edit, expected in [
                (lambda r: r["metrics"]["malloc_calls"].update(value=0.5), "malloc_calls: expected a whole number"),
                (lambda r: r["metrics"]["peak_bytes"].update(value=-1), "peak_bytes: expected 0 or more"),
                (lambda r: r["metrics"]["cpu_s"].update(value=-1), "cpu_s: expected 0 or more"),
                (lambda r: r["metrics"]["cpu_s"].update(unit="ms"), "cpu_s: expected the unit s"),
                (lambda r: r.update(variant_name="interning=swiss"), "whose interning is st_chained")]:
            record = json.loads(json.dumps(next(r for r in records if "cpu_s" in r["metrics"])))
            edit(record)
            with open(self.path("run/results.jsonl"), "w") as file:
                file.write(json.dumps(records[0]) + "\n" + json.dumps(record) + "\n")
            self.assert_usage_error(compare(self.run_folder), "results.jsonl:2: ", expected)

    def test_a_run_that_was_killed_is_read_with_a_warning(self):
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        with open(self.path("run/results.jsonl"), "a") as file:
            file.write('{"schema":1,"status":"ok","rea')
        status, out, err = compare(self.run_folder)
        self.assertEqual(status, 0, err)
        self.assertIn("the last line is cut off", " ".join(out.split()))
        self.assertIn("the last line is cut off", self.read("run/report/index.html"))

    def test_a_damaged_line_is_an_error_with_its_number(self):
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        with open(self.path("run/results.jsonl")) as file:
            lines = file.readlines()
        lines[2] = lines[2].replace('"exact":true', '"exact":"yes"', 1)
        with open(self.path("run/results.jsonl"), "w") as file:
            file.writelines(lines)
        self.assert_usage_error(compare(self.run_folder), "results.jsonl:3: metrics.malloc_calls.exact: expected true")

    def test_a_newer_schema_is_refused(self):
        records = synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1])
        with open(self.path("run/results.jsonl"), "w") as file:
            file.write(json.dumps({**records[0], "schema": 2}) + "\n")
        self.assert_usage_error(compare(self.run_folder), ":1: schema: this program reads schema 1")

    def test_figures_that_do_not_belong_together_are_refused(self):
        def edit(record):
            if record["variant_name"] == "interning=khash":
                record["build"]["mode"] = "dbg"
            return record
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:1], edit=edit)
        self.assert_usage_error(compare(self.run_folder), "interning=khash is a dbg build", "--force")
        status, out, _ = compare(self.run_folder, "--force")
        self.assertEqual(status, 0)
        self.assertIn("compared because of --force", " ".join(out.split()))

    def test_hostile_names_stay_text(self):
        def edit(record):
            if record["variant_name"] == "interning=khash":
                record["variant_name"] = EVIL
                record["variant"]["interning"] = EVIL
            record["cell"] = EVIL + record["cell"]
            record["params"][EVIL] = EVIL
            record["machine"]["cpu"] = EVIL
            record["metrics"][EVIL] = {"value": 1, "unit": EVIL, "exact": True}
            return record
        synthetic_results.make(self.run_folder, cells=synthetic_results.CELLS[:2], edit=edit)
        os.remove(self.path("run/run.json"))
        status, out, err = compare(self.run_folder)
        self.assertEqual(status, 0, err)
        self.assertNotIn("\x1b", out)
        page = self.read("run/report/index.html")
        self.assertNotIn("<img src=x", page)
        self.assertEqual(page.count("</script>"), 3)
        self.assertNotIn("\x1b", page)
        with open(self.path("run/report/samples.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual({len(row) for row in rows}, {9})
        for row in rows:
            for field in row[:6]:
                self.assertFalse(field[:1] in ("=", "+", "-", "@"), field)


if __name__ == "__main__":
    unittest.main()
