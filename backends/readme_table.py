#!/usr/bin/env python3
"""Keeps the table of backends in the top-level README equal to the registry's.

    readme_table.py check TABLE README    exit 1, with the difference, where they differ
    readme_table.py update TABLE README   rewrite the table in README (bazel run //backends:update_readme)

README has the table between the two marker lines below.
"""

import difflib
import os
import sys

BEGIN = "<!-- backends:begin -->"
END = "<!-- backends:end -->"


def split(readme, path):
    """The text up to and with BEGIN, the table, and the text from END on."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1 or readme.index(BEGIN) > readme.index(END):
        sys.exit(f"{path}: expected one line {BEGIN}, and one line {END} after it, around the table of backends")
    before, rest = readme.split(BEGIN)
    table, after = rest.split(END)
    return before + BEGIN + "\n", table.strip("\n") + "\n", END + after


def main(mode, table_path, readme_path):
    with open(table_path, encoding="utf-8") as file:
        wanted = file.read().strip("\n") + "\n"
    if mode == "update":
        # `bazel run` starts programs elsewhere and says where the workspace is.
        readme_path = os.path.join(os.environ["BUILD_WORKSPACE_DIRECTORY"], readme_path)
    with open(readme_path, encoding="utf-8") as file:
        before, found, after = split(file.read(), readme_path)
    if mode == "update":
        with open(readme_path, "w", encoding="utf-8") as file:
            file.write(before + wanted + after)
    elif found != wanted:
        sys.stdout.writelines(
            difflib.unified_diff(
                found.splitlines(True), wanted.splitlines(True), readme_path, "backends/registry.bzl"
            )
        )
        sys.exit(f"\n{readme_path} is behind the registry: bazel run //backends:update_readme")


if __name__ == "__main__":
    main(*sys.argv[1:])
