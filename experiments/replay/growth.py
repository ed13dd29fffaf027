#!/usr/bin/python3
"""Writes a workload of N events whose live heap stays the same size, to show how replay grows with N.

    experiments/replay/growth.py N OUT.workload.gz
"""

import gzip
import json
import sys
import zlib

NAMES = 2000
MARK_EVERY = 10000


class Writer:
    """Counts and sums what it writes."""

    def __init__(self, out):
        self.out = out
        self.lines = 0
        self.crc = 0

    def line(self, value):
        text = (json.dumps(value, separators=(",", ":")) + "\n").encode()
        self.out.write(text)
        self.crc = zlib.crc32(text, self.crc)
        self.lines += 1


def mark(name, symbols):
    return {"op": "mark", "name": name, "slots": {"T_STRING": 20000, "T_ARRAY": 10000, "T_OBJECT": 5000},
            "garbage": {"T_STRING": 6, "T_ARRAY": 3, "T_HASH": 1}, "features": 0, "iseqs": 0,
            "symbols": {"live": symbols}, "fstrings": {"live": symbols},
            "strings": [[10, 10000, 0], [60, 5000, 0]], "arrays": [[2, 5000, 0], [8, 5000, 0]]}


def event(i):
    """The i-th event, of four kinds in turn."""
    first = i * 7 % (NAMES - 10)
    if i % 4 == 0:
        names = [2 * (first + k) for k in range(8)]
        return {"op": "code", "file": 0, "iseqs": [["t", -1, 0, 40, 6, names, [], []]]}
    if i % 4 == 1:
        return {"op": "require", "name": "none/of/it", "how": "require", "feature": None, "result": "failed"}
    if i % 4 == 2:
        return {"op": "symbols", "list": [first, first + 1, first + 2], "dynamic": False}
    return {"op": "allocated", "slots": 20}


def main():
    if len(sys.argv) != 3 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    with gzip.GzipFile(sys.argv[2], "wb", compresslevel=1, mtime=0) as out:
        writer = Writer(out)
        writer.line({"rubric_workload": 1, "ruby": "3.1.2", "platform": "synthetic", "text": False})
        writer.line({"op": "strings", "list": [4 + i % 40 for i in range(NAMES)]})
        writer.line({"op": "symbols", "list": list(range(NAMES)), "dynamic": False})
        for i in range(int(sys.argv[1])):
            writer.line(mark("m", NAMES) if i % MARK_EVERY == MARK_EVERY - 1 else event(i))
        text = json.dumps({"op": "end", "lines": writer.lines, "crc32": "%08x" % writer.crc},
                          separators=(",", ":"))
        out.write(text.encode() + b"\n")


if __name__ == "__main__":
    main()
