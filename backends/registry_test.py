#!/usr/bin/env python3
"""The registry against what cannot be generated from it: .bazelrc's aliases and the backends' folders."""

import json
import pathlib
import re
import sys
import unittest

REGISTRY, BAZELRC = sys.argv.pop(1), sys.argv.pop(1)


class RegistryTest(unittest.TestCase):
    def setUp(self):
        self.registry = json.loads(pathlib.Path(REGISTRY).read_text())
        self.axes = {axis["name"]: axis for axis in self.registry["axes"]}
        self.matrices = {
            matrix["name"]: [variant["name"] for variant in matrix["variants"]]
            for matrix in self.registry["matrices"]
        }

    def test_every_axis_has_its_flag(self):
        aliases = dict(
            re.findall(r"^build --flag_alias=(\w+)=(\S+)$", pathlib.Path(BAZELRC).read_text(), re.M)
        )
        expected = {axis: f"//backends/{axis}:choice" for axis in self.axes}
        self.assertEqual(aliases, {**expected, "matrix": "//experiments:matrix"})

    def test_swaps_is_the_baseline_and_each_other_backend_alone(self):
        swaps = ["baseline"] + [
            f"{name}={backend['name']}"
            for name, axis in self.axes.items()
            for backend in axis["backends"]
            if backend["name"] != axis["default"]
        ]
        self.assertEqual(self.matrices["swaps"], swaps)

    def test_extended_holds_all_of_the_other_matrices(self):
        others = set(self.matrices["swaps"]) | set(self.matrices["full"])
        self.assertLess(others, set(self.matrices["extended"]))

    def test_full_is_a_product(self):
        (full,) = [m for m in self.registry["matrices"] if m["name"] == "full"]
        points = [tuple(variant["axes"][axis] for axis in self.axes) for variant in full["variants"]]
        self.assertEqual(len(points), len(set(points)))
        size = 1
        for values in zip(*points):
            size *= len(set(values))
        self.assertEqual(len(points), size)

    def test_a_variant_is_named_for_what_is_not_default_in_axis_order(self):
        for matrix in self.registry["matrices"]:
            for variant in matrix["variants"]:
                parts = [
                    f"{name}={variant['axes'][name]}"
                    for name, axis in self.axes.items()
                    if variant["axes"][name] != axis["default"]
                ]
                self.assertEqual(variant["name"], ",".join(parts) or "baseline")


if __name__ == "__main__":
    unittest.main()
