"""What an axis's package has: the flag that chooses a backend, and the library that binds the one chosen."""

load("@bazel_skylib//rules:common_settings.bzl", "string_flag")
load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("//backends:registry.bzl", "AXES", "BACKENDS", "camel_case", "class_of", "default_backend")
load("//core:rubric_cc.bzl", "rubric_cc_library")

def backend_axis(name):
    """Declares an axis in its package, //backends/NAME, from the registry.

    Makes `:choice`, the flag (--NAME= by the alias in .bazelrc); `:is_BACKEND`, a config_setting a backend; and
    `:selected`, whose header backends/NAME/selected.h gives `using SelectedName = BackendName;`.

    Args:
      name: the axis.
    """
    package = "backends/" + name
    if native.package_name() != package:
        fail("axis %s is declared in //%s, not in //%s" % (name, package, native.package_name()))
    if name not in AXES:
        fail("no axis %r in //backends:registry.bzl; the axes are %s" % (name, ", ".join(AXES.keys())))
    backends = BACKENDS[name].keys()

    string_flag(
        name = "choice",
        build_setting_default = default_backend(name),
        values = backends,
        visibility = ["//visibility:public"],
    )
    for backend in backends:
        native.config_setting(
            name = "is_" + backend,
            flag_values = {":choice": backend},
            visibility = ["//:__subpackages__"],
        )

    guard = "RUBRIC_BACKENDS_%s_SELECTED_H_" % name.upper()
    write_file(
        name = "selected_h",
        out = "selected.h",
        content = select({
            ":is_" + backend: [
                "// The backend of the axis %s that this build chose. Generated from backends/registry.bzl." % name,
                "",
                "#ifndef " + guard,
                "#define " + guard,
                "",
                '#include "%s/%s/%s_%s.h"' % (package, backend, backend, name),
                "",
                "namespace rubric {",
                "using Selected%s = %s;" % (camel_case(name), class_of(name, backend)),
                "}  // namespace rubric",
                "",
                "#endif  // " + guard,
                "",
            ]
            for backend in backends
        }),
    )

    # Only what composes the chosen backends may see this; all else names the backends that it means.
    rubric_cc_library(
        name = "selected",
        hdrs = ["selected.h"],
        visibility = [
            "//core/vm:__subpackages__",
            "//experiments:__subpackages__",
        ],
        deps = select({
            ":is_" + backend: ["//%s/%s" % (package, backend)]
            for backend in backends
        }),
    )
