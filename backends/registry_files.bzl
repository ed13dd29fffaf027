"""What programs, tests and documents read of the registry, in their own language."""

load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("//backends:registry.bzl", "AXES", "BACKENDS", "MATRICES", "camel_case", "default_backend")

def _header():
    lines = [
        "// The axes, their backends and the matrices. Generated from backends/registry.bzl.",
        "//",
        "// USE     kAxes is in axis order, the order of a variant's name; a backends list starts with the default.",
        "",
        "#ifndef RUBRIC_BACKENDS_REGISTRY_DATA_H_",
        "#define RUBRIC_BACKENDS_REGISTRY_DATA_H_",
        "",
        "#include <span>",
        "#include <string_view>",
        "",
        "namespace rubric {",
        "",
        "struct BackendEntry {",
        "  std::string_view name;",
        "  std::string_view summary;",
        "  std::string_view source;",
        "};",
        "",
        "struct AxisEntry {",
        "  std::string_view name;  // also its build flag",
        "  std::string_view summary;",
        "  std::string_view source;",
        "  std::string_view default_backend;",
        "  std::span<const BackendEntry> backends;",
        "};",
        "",
        "struct MatrixEntry {",
        "  std::string_view name;  // a value of --matrix; the first is the default",
        "  std::string_view summary;",
        "  std::span<const std::string_view> variants;",
        "};",
        "",
    ]
    for axis in AXES:
        lines.append("inline constexpr BackendEntry k%sBackends[] = {" % camel_case(axis))
        for backend, (summary, source) in BACKENDS[axis].items():
            lines.append("    {%s, %s, %s}," % (json.encode(backend), json.encode(summary), json.encode(source)))
        lines.extend(["};", ""])
    lines.append("inline constexpr AxisEntry kAxes[] = {")
    for axis, entry in AXES.items():
        lines.append("    {%s, %s, %s, %s, k%sBackends}," % (
            json.encode(axis),
            json.encode(entry.summary),
            json.encode(entry.source),
            json.encode(default_backend(axis)),
            camel_case(axis),
        ))
    lines.extend(["};", ""])
    for matrix, (_, variants) in MATRICES.items():
        lines.append("inline constexpr std::string_view k%sVariants[] = {" % camel_case(matrix))
        lines.extend(["    %s," % json.encode(name) for name in variants])
        lines.extend(["};", ""])
    lines.append("inline constexpr MatrixEntry kMatrices[] = {")
    for matrix, (summary, _) in MATRICES.items():
        lines.append("    {%s, %s, k%sVariants}," % (json.encode(matrix), json.encode(summary), camel_case(matrix)))
    return lines + ["};", "", "}  // namespace rubric", "", "#endif  // RUBRIC_BACKENDS_REGISTRY_DATA_H_", ""]

def _table():
    lines = ["| axis (flag) | backend | what it is | where it comes from |", "|---|---|---|---|"]
    for axis, entry in AXES.items():
        for backend, (summary, source) in BACKENDS[axis].items():
            is_default = backend == default_backend(axis)
            lines.append("| %s | `%s`%s | %s | %s |" % (
                "`--%s=`: %s (%s)" % (axis, entry.summary, entry.source) if is_default else "",
                backend,
                " (default)" if is_default else "",
                summary,
                source,
            ))
    return lines + [""]

def _json():
    return json.encode({
        "axes": [
            {
                "name": axis,
                "summary": entry.summary,
                "source": entry.source,
                "default": default_backend(axis),
                "backends": [
                    {"name": backend, "summary": summary, "source": source}
                    for backend, (summary, source) in BACKENDS[axis].items()
                ],
            }
            for axis, entry in AXES.items()
        ],
        "matrices": [
            {
                "name": matrix,
                "summary": summary,
                "variants": [{"name": name, "axes": point} for name, point in variants.items()],
            }
            for matrix, (summary, variants) in MATRICES.items()
        ],
    })

def registry_files():
    """registry_data.h, registry.json and backend_table.md, made from the registry."""
    write_file(name = "registry_data", out = "registry_data.h", content = _header())
    write_file(name = "registry_json", out = "registry.json", content = [_json(), ""])
    write_file(name = "backend_table", out = "backend_table.md", content = _table())
