"""Makes results folders that look like the suite's, for tests and for looking at the page.

Figures are invented, but hang together: peaks lie on the curves, subsystems add up, and the noise of times is drawn from a
seed. Run as a program it writes one folder: synthetic_results.py FOLDER [--failures]
"""

import json
import os
import random
import sys

DEFAULTS = {"interning": "st_chained", "resurrect": "copying", "ivars": "hash", "feature_keys": "copied"}

SWAPS = [
    {},
    {"interning": "st_open"},
    {"interning": "khash"},
    {"interning": "robin_map"},
    {"interning": "swiss"},
    {"resurrect": "shared"},
    {"ivars": "index"},
    {"feature_keys": "shared"},
    {"feature_keys": "hashed"},
]

# experiment, parameters, label, calls, bytes a call, seconds, and what each choice changes: calls, bytes, time.
CELLS = [
    ("require", {"features": 10000, "slashes": 7, "methods": 0}, "require", 310022, 61, 0.181, {
        "feature_keys=shared": (0.41, 0.63, 0.94), "feature_keys=hashed": (0.22, 0.38, 0.88),
        "interning=st_open": (0.93, 0.97, 0.99), "interning=khash": (0.90, 0.95, 0.97),
        "interning=robin_map": (0.90, 1.04, 0.95), "interning=swiss": (0.90, 0.99, 0.96)}),
    ("require", {"features": 10000, "slashes": 7, "methods": 0, "feature_list": "rails61-production-boot.features"},
     "require --feature_list=rails61-production-boot.features", 52110, 70, 0.034, {
        "feature_keys=shared": (0.46, 0.71, 0.95), "feature_keys=hashed": (0.27, 0.45, 0.91),
        "interning=khash": (0.93, 0.97, 1.0)}),
    ("array_literal", {"elements": 4, "count": 10000, "keep": True}, "array_literal", 20014, 56, 0.0021, {
        "resurrect=shared": (0.5003, 0.556, 0.78)}),
    ("array_literal", {"elements": 110, "count": 10000, "keep": True}, "array_literal --elements=110", 20014, 912, 0.0094, {
        "resurrect=shared": (0.5003, 0.045, 0.31)}),
    ("array_literal", {"elements": 110, "count": 10000, "keep": True, "written": 100},
     "array_literal --elements=110 --written=100", 20014, 912, 0.0098, {"resurrect=shared": (1.0, 1.0001, 1.12)}),
    ("intern", {"op": "hit", "kind": "fstring", "size": 4000}, "intern", 8021, 48, 0.0312, {
        "interning=st_open": (0.51, 0.88, 0.91), "interning=khash": (0.5, 0.92, 0.83),
        "interning=robin_map": (0.5, 1.31, 0.71), "interning=swiss": (0.5, 1.07, 0.64)}),
    ("intern", {"op": "weak_sweep", "kind": "fstring", "size": 4000}, "intern --op=weak_sweep", 8021, 48, 0.0089, {
        "interning=st_open": (0.51, 0.88, 0.97), "interning=khash": (0.5, 0.92, 1.18),
        "interning=robin_map": (0.5, 1.31, 1.22), "interning=swiss": (0.5, 1.07, 1.06)}),
    ("generic_ivars", {"type": "string", "objects": 9992, "ivars": 10}, "generic_ivars", 41022, 139, 0.0153, {
        "ivars=index": (0.74, 0.52, 1.17)}),
]

SUBSYSTEMS = ["heap_pages", "strings", "arrays", "interning", "ivars", "features"]


def variant_name(swap):
    return ",".join(f"{axis}={backend}" for axis, backend in swap.items()) or "baseline"


def curve(rng, calls, final, points=400):
    """Live bytes that grow with a few releases on the way, thinned to `points`."""
    call, live = [], []
    for i in range(points):
        n = max(1, calls * (i + 1) // points)
        share = (i + 1) / points
        dip = 0.06 * (1 if (i // 40) % 2 else 0) * share
        call.append(n)
        live.append(int(final * (share - dip)))
    return {"call": call, "bytes": live, "calls_total": calls}


def record(rng, cell, swap, name, rnd, run_pass, seconds_scale=1.0):
    experiment, params, label, calls, per_call, seconds, effects = cell
    factor = (1.0, 1.0, 1.0)
    for axis, backend in swap.items():
        factor = effects.get(f"{axis}={backend}", factor)
    n = int(calls * factor[0])
    total = int(calls * per_call * factor[1])
    frees = n // 5
    shares = [0.30, 0.22, 0.08, 0.16, 0.10, 0.14]
    subsystems, left = {}, total
    for i, subsystem in enumerate(SUBSYSTEMS):
        size = left if i == len(SUBSYSTEMS) - 1 else int(total * shares[i])
        left -= size
        subsystems[subsystem] = {
            "malloc_calls": n // 6, "free_calls": frees // 6, "bytes_requested": int(size * 1.05),
            "bytes_usable": int(size * 1.1), "live_bytes": size, "peak_bytes": int(size * 1.02)}
    metrics = {
        "malloc_calls": {"value": n, "unit": "calls", "exact": True},
        "free_calls": {"value": frees, "unit": "calls", "exact": True},
        "bytes_requested": {"value": int(total * 1.05), "unit": "bytes", "exact": True},
        "bytes_usable": {"value": int(total * 1.1), "unit": "bytes", "exact": True},
        "peak_bytes": {"value": int(total * 1.02), "unit": "bytes", "exact": True},
        "live_bytes": {"value": total, "unit": "bytes", "exact": True},
        "slots_live": {"value": calls // 2, "unit": "slots", "exact": True},
        "heap_pages": {"value": calls // 800 + 24, "unit": "pages", "exact": True},
        "gc_count": {"value": 7, "unit": "collections", "exact": True},
    }
    if run_pass == "time":
        cpu = seconds * factor[2] * seconds_scale * rng.lognormvariate(0, 0.012)
        metrics["wall_s"] = {"value": cpu * rng.uniform(1.001, 1.03), "unit": "s", "exact": False}
        metrics["cpu_s"] = {"value": cpu, "unit": "s", "exact": False}
        metrics["gc_s"] = {"value": cpu * 0.1, "unit": "s", "exact": False}
        metrics["rss_bytes"] = {"value": 4096 * int((total + 3e6) / 4096 * rng.uniform(1, 1.01)), "unit": "bytes",
                                "exact": False}
    result = {
        "schema": 1, "status": "ok", "reason": "", "experiment": experiment, "params": params, "cell": label,
        "variant": {**DEFAULTS, **swap}, "variant_name": name,
        "build": {"compiler": "g++ 12.2.0", "mode": "opt", "sanitizer": "", "allocator": "glibc",
                  "commit": "4b56d12c0ffee", "dirty": False, "binary_sha256": f"{hash_of(swap):064x}"},
        "machine": {"cpu": "AMD EPYC 7763 64-Core Processor", "cores": 2, "kernel": "Linux 6.1.0-18-amd64",
                    "libc": "glibc 2.36"},
        "run": {"hash_seed": 20260131, "aslr": "off", "cpu_affinity": [1], "seed": 7, "round": rnd, "order": rnd,
                "pass": run_pass, "started_at": "2026-01-31T10:15:00Z"},
        "metrics": metrics, "subsystems": subsystems}
    if run_pass == "log":
        result["samples"] = {"live_bytes": curve(rng, n + frees, total)}
    return result


def hash_of(swap):
    """A number that is the same for the same choices, in every process."""
    value = 1469598103934665603
    for byte in variant_name(swap).encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return value


def failed(of, status, reason):
    return {**of, "status": status, "reason": reason, "metrics": {}, "subsystems": {}}


def make(folder, variants=None, cells=None, rounds=5, seed=1, failures=False, edit=None, control=True):
    """Writes `folder`/results.jsonl and run.json. `edit` may change each record, or return None to leave it out."""
    rng = random.Random(seed)
    swaps = [(variant_name(swap), swap) for swap in (SWAPS if variants is None else variants)]
    if control:
        swaps.append(("control", {}))
    cells = CELLS if cells is None else cells
    records = []
    for cell in cells:
        for name, swap in swaps:
            for run_pass in ["log"] + ["time"] * rounds:
                rnd = sum(1 for r in records[-(rounds + 1):] if r["variant_name"] == name and r["run"]["pass"] == "time"
                          and r["cell"] == cell[2])
                records.append(record(rng, cell, swap, name, rnd if run_pass == "time" else 0, run_pass))
    if failures:
        for r in records:
            key = (r["cell"], r["variant_name"])
            if key == ("intern --op=weak_sweep", "interning=robin_map"):
                r.update(failed(r, "failed", "ended by signal 11 (SIGSEGV)"))
            if key == ("array_literal --elements=110 --written=100", "resurrect=shared"):
                r.update(failed(r, "wrong_result", "expected element 7 of array 12 to be 7, found nil"))
            if key == ("require", "interning=swiss"):
                r.update(failed(r, "timeout", "not done after 60 s"))
        records = [r for r in records if (r["cell"], r["variant_name"]) != ("intern", "interning=khash")]
    if edit:
        records = [r for r in (edit(r) for r in records) if r is not None]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "results.jsonl"), "w") as out:
        for r in records:
            out.write(json.dumps(r, separators=(",", ":")) + "\n")
    plan = {
        "schema": 1, "command": ["bazel", "run", "//experiments:suite"], "started_at": "2026-01-31T10:15:00Z",
        "matrix": "swaps", "baseline": "baseline",
        "machine": {"cpu": "AMD EPYC 7763 64-Core Processor", "cores": 2},
        "variants": [{"name": name, "variant": {**DEFAULTS, **swap}} for name, swap in swaps],
        "cells": [{"experiment": c[0], "params": c[1], "label": c[2]} for c in cells]}
    with open(os.path.join(folder, "run.json"), "w") as out:
        json.dump(plan, out)
    return records


if __name__ == "__main__":
    make(sys.argv[1], failures="--failures" in sys.argv[2:])
