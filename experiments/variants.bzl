"""Variants: one program, built with a backend for every axis, as often as a matrix says.

Only whole programs are built this way: everything below a variant is compiled again in the variant's own output
folder. What depends on no axis is spared that by axis_free. Unit, conformance and micro tests name backend classes
and need none of this.
"""

load("//backends:registry.bzl", "AXES", "MATRICES", "check_point", "every_backend", "every_pair", "full_point")

_MATRIX = "//experiments:matrix"

def _flag(axis):
    return "//backends/%s:choice" % axis

# Every transition here writes all of these, in every case. Bazel names an output folder after what was written, so
# writing less where less changes would build the same variant twice.
_SETTINGS = [_flag(axis) for axis in AXES] + [_MATRIX]

def _check(settings):
    """Fails on a mistyped flag, with the right values: what writes a flag would else hide that it was wrong."""
    check_point({axis: settings[_flag(axis)] for axis in AXES})
    if settings[_MATRIX] not in MATRICES:
        fail("no matrix %r; the matrices are %s" % (settings[_MATRIX], ", ".join(MATRICES.keys())))

def _settings(point):
    settings = {_flag(axis): backend for axis, backend in full_point(point).items()}

    # Nothing below a variant depends on which matrix asked for it.
    settings[_MATRIX] = MATRICES.keys()[0]
    return settings

# --- One variant ---

def _one_variant_impl(settings, attr):
    _check(settings)
    return _settings(attr.axes)

_one_variant = transition(implementation = _one_variant_impl, inputs = _SETTINGS, outputs = _SETTINGS)

def _program(ctx, target, name):
    """A link called `name` to a target's executable, and the runfiles that it needs."""
    executable = target[DefaultInfo].files_to_run.executable
    if not executable:
        fail("%s is not a program" % target.label)
    link = ctx.actions.declare_file(name)
    ctx.actions.symlink(output = link, target_file = executable, is_executable = True)
    runfiles = ctx.runfiles([link, executable]).merge(target[DefaultInfo].default_runfiles)
    return link, runfiles

def _wrap_impl(ctx):
    # A transition on an attribute makes a list of it.
    link, runfiles = _program(ctx, ctx.attr.actual[0], ctx.label.name)
    return [
        DefaultInfo(executable = link, files = depset([link]), runfiles = runfiles),
        testing.TestEnvironment(ctx.attr.env),
    ]

_ALLOWLIST = {
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
}

_WRAP_ATTRS = dict(
    _ALLOWLIST,
    actual = attr.label(cfg = _one_variant, executable = True, mandatory = True, doc = "The program."),
    axes = attr.string_dict(doc = "axis -> backend; the default of every axis that is not named."),
    env = attr.string_dict(doc = "The environment of a test; the wrapped test's own does not pass through."),
)

variant_binary = rule(
    implementation = _wrap_impl,
    attrs = _WRAP_ATTRS,
    executable = True,
    doc = "A program built with the backends of `axes`, whatever the command line says.",
)

variant_test = rule(
    implementation = _wrap_impl,
    attrs = _WRAP_ATTRS,
    test = True,
    doc = "A test built with the backends of `axes`, whatever the command line says.",
)

def variants_to_test():
    """The variants that whole-VM tests run on: all single swaps, and a covering set of the full matrix.

    Every backend is in one, and every pair of backends that `full` has.

    Returns:
      Variant name -> axis -> backend.
    """
    return dict(MATRICES["swaps"][1], **every_pair(MATRICES["full"][1]))

def variant_tests(name, actual, variants = None, tags = [], **kwargs):
    """A test_suite of one variant_test a variant, NAME_<variant>, with _ for = and the commas.

    The tag "runtime", which the checking builds select by, stays on a few that have every backend between them: each
    build of a variant costs its compile once more.

    Args:
      name: the suite's name.
      actual: the test to run; tag it "manual", or it runs once more by itself.
      variants: variant name -> axis -> backend; by default variants_to_test().
      tags: as for every test.
      **kwargs: as for variant_test.
    """
    points = variants or variants_to_test()
    checked = every_backend(points)
    tests = []
    for variant, axes in points.items():
        test = "%s_%s" % (name, variant.replace("=", "_").replace(",", "_"))
        tests.append(test)
        variant_test(
            name = test,
            actual = actual,
            axes = axes,
            tags = [tag for tag in tags if tag != "runtime" or variant in checked],
            **kwargs
        )
    native.test_suite(name = name, tests = tests)

# --- All variants of a matrix ---

def _matrix_impl(settings, attr):
    _check(settings)
    _, variants = MATRICES[attr.matrix or settings[_MATRIX]]
    return {name: _settings(point) for name, point in variants.items()}

_every_variant = transition(implementation = _matrix_impl, inputs = _SETTINGS, outputs = _SETTINGS)

def _variant_manifest_impl(ctx):
    entries = []
    runfiles = ctx.runfiles()

    # The order of the registry, not of the split: the baseline comes first in swaps and full.
    by_name = ctx.split_attr.lab
    for _, variants in MATRICES.values():
        for name, axes in variants.items():
            if name not in by_name or name in [entry["name"] for entry in entries]:
                continue
            link, needed = _program(
                ctx,
                by_name[name],
                "%s/%s/%s" % (ctx.label.name, name, by_name[name].label.name),
            )
            runfiles = runfiles.merge(needed)
            entries.append({
                "name": name,
                "axes": axes,
                "binary": "%s/%s" % (ctx.workspace_name, link.short_path),
            })
    manifest = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(manifest, json.encode(entries) + "\n")
    return [DefaultInfo(
        files = depset([manifest]),
        runfiles = ctx.runfiles([manifest]).merge(runfiles),
    )]

variant_manifest = rule(
    implementation = _variant_manifest_impl,
    doc = """Builds a program for every variant of a matrix and lists them in NAME.json.

The list has an object a variant, {"name", "axes": {axis: backend}, "binary"}; `binary` is a path in the runfiles of
what has this target in its `data`.""",
    attrs = dict(
        _ALLOWLIST,
        lab = attr.label(cfg = _every_variant, mandatory = True, doc = "The program."),
        matrix = attr.string(
            values = [""] + MATRICES.keys(),
            doc = "A matrix, in place of the one that --matrix chooses.",
        ),
    ),
)

# --- What depends on no axis ---

def _no_axis_impl(settings, _attr):
    _check(settings)
    return _settings({})

_no_axis = transition(implementation = _no_axis_impl, inputs = _SETTINGS, outputs = _SETTINGS)

_AxisUse = provider(
    doc = "Which axis selections a target reaches.",
    fields = {"selections": "depset of labels"},
)

def _axis_use_impl(target, ctx):
    direct = []
    if target.label.name == "selected" and target.label.package.startswith("backends/"):
        direct = [target.label]
    return [_AxisUse(selections = depset(
        direct,
        transitive = [dep[_AxisUse].selections for dep in getattr(ctx.rule.attr, "deps", []) if _AxisUse in dep],
    ))]

_axis_use = aspect(implementation = _axis_use_impl, attr_aspects = ["deps"])

def _axis_free_impl(ctx):
    actual = ctx.attr.actual[0]
    selections = actual[_AxisUse].selections.to_list()
    if selections:
        # Two variants of one class in one program would be undefined behaviour without a diagnosis.
        fail("%s is not free of axes: it depends on %s" % (
            actual.label,
            ", ".join([str(label) for label in selections]),
        ))
    return [actual[CcInfo], DefaultInfo(files = actual[DefaultInfo].files)]

axis_free = rule(
    implementation = _axis_free_impl,
    doc = """A cc_library that depends on no axis, compiled once for all variants.

Depend on this instead of `actual` in what is built per variant. Fails where `actual` does depend on an axis.""",
    attrs = dict(
        _ALLOWLIST,
        actual = attr.label(cfg = _no_axis, mandatory = True, providers = [CcInfo], aspects = [_axis_use]),
    ),
)
