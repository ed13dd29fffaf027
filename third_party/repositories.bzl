"""Repository rules that bind what is installed on this machine, and the one npm package.

Each dependency is a repository with a BUILD file here, third_party/NAME.BUILD. A missing one fails with the name of
its Debian package, and only when something needs it. `third_party/setup` installs all of them.
"""

_SETUP = "run third_party/setup"

def _need(ctx, path, package):
    """Fails with the Debian package's name where `path` does not exist; else returns it as a path."""
    found = ctx.path(path)
    if not found.exists:
        fail("@%s: Debian package %s is missing (no %s): %s" % (ctx.name, package, path, _SETUP))
    return found

def _run(ctx, command, what):
    result = ctx.execute(command)
    if result.return_code:
        fail("@%s: %s failed: %s\n%s%s" % (
            ctx.name,
            what,
            " ".join(command),
            result.stdout,
            result.stderr,
        ))
    return result.stdout.strip()

# --- Installed libraries ---

def _static(ctx, option, package):
    """-lNAME as -l:libNAME.a, so that the program starts without the loader's work for dozens of libraries."""
    if not option.startswith("-labsl_"):
        return option
    archive = "lib%s.a" % option[len("-l"):]
    return "-l:" + archive

def _debian_library_impl(ctx):
    package = ctx.attr.package
    for header in ctx.attr.headers:
        ctx.symlink(_need(ctx, "/usr/include/" + header, package), "include/" + header)

    linkopts = {}
    if ctx.attr.pkg_config:
        pkg_config = ctx.which("pkg-config")
        if not pkg_config:
            fail("@%s: Debian package pkg-config is missing: %s" % (ctx.name, _SETUP))
        for module in ctx.attr.pkg_config:
            if ctx.execute([pkg_config, "--exists", module]).return_code:
                fail("@%s: Debian package %s is missing (no pkg-config module %s): %s" % (
                    ctx.name,
                    package,
                    module,
                    _SETUP,
                ))
            options = _run(ctx, [pkg_config, "--libs", module], "pkg-config")
            linkopts[module] = [_static(ctx, o, package) for o in options.split(" ") if o]

    ctx.file("linkopts.bzl", "# pkg-config module -> what it says to link.\nLINKOPTS = %r\n" % linkopts)
    ctx.file("WORKSPACE", "workspace(name = %r)\n" % ctx.name)
    ctx.symlink(ctx.attr.build_file, "BUILD")

debian_library = repository_rule(
    implementation = _debian_library_impl,
    local = True,
    doc = "An installed library: its headers under include/, and LINKOPTS (linkopts.bzl) by pkg-config module.",
    attrs = {
        "build_file": attr.label(mandatory = True, allow_single_file = True),
        "headers": attr.string_list(doc = "Files or folders below /usr/include."),
        "package": attr.string(mandatory = True, doc = "The Debian package that installs it."),
        "pkg_config": attr.string_list(doc = "Modules whose linker options the BUILD file needs."),
    },
)

# --- Bazel's own rules, as Debian installs them ---

def _debian_rules_impl(ctx):
    root = _need(ctx, ctx.attr.path, ctx.attr.package)
    _run(ctx, ["cp", "-r", str(root) + "/.", "."], "copying the rules")
    for path, old, new in [edit.split("|") for edit in ctx.attr.edits]:
        text = ctx.read(path)
        if old not in text:
            fail("@%s: %s has no %r any more: %s differs from the release that this was written for" % (
                ctx.name,
                path,
                old,
                ctx.attr.package,
            ))
        ctx.file(path, text.replace(old, new), executable = False)

debian_rules = repository_rule(
    implementation = _debian_rules_impl,
    local = True,
    doc = "A copy of Bazel rules that Debian installs, with `edits` made in it.",
    attrs = {
        "edits": attr.string_list(doc = "FILE|OLD|NEW: text replaced in the copy; OLD must be there."),
        "package": attr.string(mandatory = True),
        "path": attr.string(mandatory = True),
    },
)

# --- npm ---

def _npm_package_impl(ctx):
    what = "%s@%s" % (ctx.attr.package, ctx.attr.version)
    npm = ctx.which("npm")
    if not npm:
        fail("@%s: npm is missing (Debian package npm), which fetches %s: %s" % (ctx.name, what, _SETUP))
    result = ctx.execute([npm, "pack", "--silent", what], timeout = 300)
    if result.return_code:
        fail("@%s: `npm pack %s` failed; it needs a network and npm's registry.\n%s%s" % (
            ctx.name,
            what,
            result.stdout,
            result.stderr,
        ))
    tarball = result.stdout.strip().split("\n")[-1]

    # npm says what it downloaded; what it should be is written down here.
    digest = _run(ctx, [
        "sh",
        "-c",
        'openssl dgst -sha512 -binary "$1" | openssl base64 -A',
        "sh",
        tarball,
    ], "hashing the package (Debian package openssl)")
    if "sha512-" + digest != ctx.attr.integrity:
        fail("@%s: %s is not what it was when it was pinned: expected %s, got sha512-%s" % (
            ctx.name,
            what,
            ctx.attr.integrity,
            digest,
        ))
    ctx.extract(tarball, stripPrefix = "package")
    ctx.delete(tarball)
    ctx.delete("package.json")
    ctx.symlink(ctx.attr.build_file, "BUILD")

npm_package = repository_rule(
    implementation = _npm_package_impl,
    doc = "A pinned npm package, without its dependencies, whose content must have the hash given.",
    attrs = {
        "build_file": attr.label(mandatory = True, allow_single_file = True),
        "integrity": attr.string(mandatory = True, doc = "sha512-…, as npm's lock files have it."),
        "package": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
    },
)

# --- All of them ---

_ABSEIL_MODULES = [
    "absl_algorithm_container",
    "absl_any_invocable",
    "absl_base",
    "absl_bits",
    "absl_cleanup",
    "absl_failure_signal_handler",
    "absl_fixed_array",
    "absl_flags",
    "absl_flags_parse",
    "absl_flags_reflection",
    "absl_flags_usage",
    "absl_flat_hash_map",
    "absl_flat_hash_set",
    "absl_function_ref",
    "absl_hash",
    "absl_inlined_vector",
    "absl_int128",
    "absl_memory",
    "absl_node_hash_map",
    "absl_span",
    "absl_stacktrace",
    "absl_status",
    "absl_statusor",
    "absl_str_format",
    "absl_strings",
    "absl_symbolize",
    "absl_synchronization",
    "absl_time",
]

def _library(name, package, headers, pkg_config = []):
    debian_library(
        name = name,
        build_file = "//third_party:%s.BUILD" % name,
        headers = headers,
        package = package,
        pkg_config = pkg_config,
    )

def rubric_repositories():
    """Declares every repository that Rubric uses; each is fetched when first needed."""

    # Bazel's rules. Debian's rules_cc 0.0.4 wants a function that Bazel 4.2.3 does not have yet.
    _old_import = 'load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain", "use_cpp_toolchain")'
    _new_import = 'load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")'
    _toolchain = '["@bazel_tools//tools/cpp:toolchain_type"]'
    debian_rules(
        name = "rules_cc",
        edits = [
            edit
            for path in ["cc_flags_supplier.bzl", "compiler_flag.bzl"]
            for edit in [
                "cc/private/rules_impl/%s|%s|%s" % (path, _old_import, _new_import),
                "cc/private/rules_impl/%s|use_cpp_toolchain()|%s" % (path, _toolchain),
            ]
        ],
        package = "bazel-rules-cc",
        path = "/usr/share/bazel/rules/cc",
    )
    debian_rules(
        name = "rules_java",
        package = "bazel-rules-java",
        path = "/usr/share/bazel/rules/java",
    )
    debian_rules(
        name = "bazel_skylib",
        package = "bazel-skylib",
        path = "/usr/share/bazel/tools/skylib",
    )
    native.local_repository(
        name = "remote_coverage_tools",
        path = "third_party/coverage_stub",
    )

    # Libraries.
    _library("abseil", "libabsl-dev", ["absl"], _ABSEIL_MODULES)
    _library("benchmark", "libbenchmark-dev", ["benchmark"], ["benchmark"])
    _library("googletest", "libgtest-dev and libgmock-dev", ["gtest", "gmock"], ["gtest", "gtest_main", "gmock"])
    _library("htslib", "libhts-dev", ["htslib"])
    _library("jemalloc", "libjemalloc-dev", ["jemalloc"], ["jemalloc"])
    _library("mimalloc", "libmimalloc-dev", ["mimalloc.h"])
    _library("nlohmann_json", "nlohmann-json3-dev", ["nlohmann"])
    _library("openssl", "libssl-dev", ["openssl"], ["libcrypto", "libssl"])
    _library("robin_map", "robin-map-dev", ["tsl"])
    _library("valgrind", "valgrind", ["valgrind"])
    _library("zlib", "zlib1g-dev", ["zlib.h", "zconf.h"], ["zlib"])

    # The reports' charts.
    npm_package(
        name = "echarts",
        build_file = "//third_party:echarts.BUILD",
        integrity = "sha512-oTbVTsXfKuEhxftHqL5xprgLoc0k7uScAwtryCgWF6hPYFLRwOUHiFmHGCBKP5NPFNkDVopOieyUqYGH8Fa3kA==",
        package = "echarts",
        version = "5.6.0",
    )
