"""The C++ rules of this repository: warnings, layering and tests have one place.

Use these instead of cc_library and the like. They take what those take.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("//experiments:variants.bzl", "axis_free")

# For our code only: what comes through @repositories is included as system headers.
_WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Wnon-virtual-dtor",
    "-Woverloaded-virtual",
    "-Werror",
]

# A header is included only by what depends on its target. Enforced by clang (--config=clang), off under gcc.
_FEATURES = ["layering_check"]

def _ours(kwargs):
    """The arguments with this repository's warnings and features added."""
    ours = dict(kwargs)
    ours["copts"] = _WARNINGS + kwargs.get("copts", [])
    ours["features"] = _FEATURES + kwargs.get("features", [])
    return ours

def _test_tags(tags):
    """The tags given; tests of the runtime get "runtime", which the checking builds select by."""
    package = native.package_name()
    if package.startswith("core") or package.startswith("backends"):
        return tags + ["runtime"]
    return tags

def rubric_cc_library(name, srcs = [], per_variant = None, visibility = None, testonly = False, **kwargs):
    """A cc_library.

    What is below the VM depends on no axis, so its sources are compiled once, however many variants are built: the
    library is then the axis-free form of NAME_once. Headers are compiled where they are included, so a library
    without sources needs none of this.

    Args:
      name: its name.
      srcs: its sources.
      per_variant: True for what includes a selected.h, directly or not: forgetting it fails the build. By default
        what lies in experiments/, and nothing else.
      visibility: as for every target.
      testonly: as for every target.
      **kwargs: as for cc_library.
    """
    if per_variant == None:
        per_variant = native.package_name().startswith("experiments")
    if per_variant or not srcs:
        cc_library(name = name, srcs = srcs, visibility = visibility, testonly = testonly, **_ours(kwargs))
        return
    cc_library(name = name + "_once", srcs = srcs, testonly = testonly, **_ours(kwargs))
    axis_free(name = name, actual = name + "_once", visibility = visibility, testonly = testonly)

def rubric_cc_binary(name, **kwargs):
    """A cc_binary."""
    cc_binary(name = name, **_ours(kwargs))

def rubric_cc_test(name, deps = [], size = "small", tags = [], main = "@googletest//:gtest_main", **kwargs):
    """A cc_test with GoogleTest.

    Args:
      name: its name, x_test.
      deps: its direct deps, without GoogleTest.
      size: as for every test.
      tags: as for every test.
      main: what gives main(); None where the test has its own.
      **kwargs: as for cc_test.
    """
    cc_test(
        name = name,
        size = size,
        tags = _test_tags(tags),
        deps = deps + ["@googletest//:googletest"] + ([main] if main else []),
        **_ours(kwargs)
    )

def rubric_cc_benchmark(name, srcs, deps = [], tags = [], data = [], smoke_args = [], **kwargs):
    """A google-benchmark program, and NAME_smoke_test, which runs each of its benchmarks for an instant.

    The program fails where a benchmark calls SkipWithError, so the smoke test finds those that get a wrong answer.

    Args:
      name: its name, x_benchmark.
      srcs: its sources, with BENCHMARK(…) and without main().
      deps: its direct deps, without google-benchmark.
      tags: as for every target.
      data: files that it reads.
      smoke_args: further arguments of the smoke test, such as a --benchmark_filter that leaves out long ones.
      **kwargs: as for cc_library, which compiles srcs.
    """
    cc_library(
        name = name + "_lib",
        testonly = True,
        srcs = srcs,
        alwayslink = True,
        tags = tags + ["manual"],
        deps = deps + ["@benchmark//:benchmark"],
        **_ours(kwargs)
    )
    parts = [
        name + "_lib",
        "//core:benchmark_main",
    ]
    cc_binary(
        name = name,
        testonly = True,
        data = data,
        tags = tags + ["benchmark"],
        deps = parts,
    )
    cc_test(
        name = name + "_smoke_test",
        size = "small",
        args = ["--benchmark_min_time=0"] + smoke_args,
        data = data,
        tags = tags + ["smoke"],
        deps = parts,
    )

def rubric_cc_fuzz_test(name, srcs, corpus = [], deps = [], size = "small", tags = [], **kwargs):
    """A fuzz target. An ordinary test replays its corpus; --config=fuzz links libFuzzer into it, which as a test
    searches for 10 s, and by hand for as long as one likes:

    bazel run --config=fuzz //…:x_fuzz -- -max_total_time=600

    Args:
      name: its name, x_fuzz.
      srcs: its source, with LLVMFuzzerTestOneInput and without main().
      corpus: the inputs to replay: glob(["testdata/x_fuzz/*"]), or filegroups. The empty input is always replayed
        as well.
      deps: its direct deps.
      size: as for every test.
      tags: as for every test.
      **kwargs: as for cc_test.
    """
    seeds = []
    if corpus:
        native.genrule(
            name = name + "_seeds",
            testonly = True,
            srcs = corpus,
            outs = [name + "_seeds.txt"],
            cmd = "echo %s | tr ' ' , >$@" % " ".join(["$(locations %s)" % file for file in corpus]),
            tags = ["manual"],
        )
        seeds = ["-seed_inputs=@$(rootpath %s_seeds)" % name]
    cc_test(
        name = name,
        size = size,
        srcs = srcs,
        args = select({
            # libFuzzer given files would replay them and stop; given a list of them, it starts from them. A later
            # -max_total_time, from who runs it, wins.
            "//core:is_fuzzing": ["-max_total_time=10"] + seeds,
            "//conditions:default": ["$(locations %s)" % file for file in corpus],
        }),
        data = corpus + select({
            "//core:is_fuzzing": [name + "_seeds"] if corpus else [],
            "//conditions:default": [],
        }),
        linkopts = select({
            "//core:is_fuzzing": ["-fsanitize=fuzzer"],
            "//conditions:default": [],
        }),
        tags = _test_tags(tags + ["fuzz"]),
        deps = deps + select({
            "//core:is_fuzzing": [],
            "//conditions:default": ["//core:fuzz_replay_main"],
        }),
        **_ours(kwargs)
    )
