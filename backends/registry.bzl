"""The axes, their backends, and the variants that are measured: the one place that lists them.

Flags, selections, matrices, the suite's manifest, the C++ registry and the README's table are made from here. To add
a backend, add its folder and one line to BACKENDS: README.md walks through it.
"""

# Axes in order, each with what it decides and the discussion that it grows from. A name is its build flag as well.
AXES = {
    "interning": struct(
        summary = "the tables behind frozen strings and symbols",
        source = "Ruby #10096",
    ),
    "resurrect": struct(
        summary = "what evaluating an array literal does with its elements",
        source = "Ruby #15349",
    ),
    "ivars": struct(
        summary = "where instance variables of objects that are not T_OBJECT live",
        source = "Ruby #11170",
    ),
    "feature_keys": struct(
        summary = "the keys of the loaded-features index",
        source = "Ruby #14460",
    ),
    "prelude": struct(
        summary = "when RubyGems, which comes before the program, is loaded",
        source = "Ruby #4962",
    ),
    "collector": struct(
        summary = "how much a garbage collection looks at",
        source = "Ruby #4962",
    ),
}

# axis -> backend -> (what it is, where it comes from). The first is the axis's default. A backend's header is
# backends/AXIS/BACKEND/BACKEND_AXIS.h, its class BackendAxis in CamelCase.
BACKENDS = {
    "interning": {
        "st_chained": ("ordered, chained, an allocation an entry", "Ruby up to 2.3, st.c"),
        "st_open": ("ordered, open addressing over an entry array", "Ruby 2.4 on, st.c"),
        "khash": ("open addressing, quadratic probing, flags of two bits", "klib, by htslib/khash.h"),
        "robin_map": ("open addressing, robin-hood displacement", "tsl::robin_map"),
        "swiss": ("open addressing, control bytes probed 16 at a time", "absl::flat_hash_map"),
    },
    "resurrect": {
        "copying": ("every evaluation copies the elements", "Ruby up to 2.5, array.c"),
        "shared": ("evaluations share the literal's elements until one is written to", "Ruby 2.6 on (#15349)"),
    },
    "ivars": {
        "hash": ("a hash table an object", "Ruby up to 2.2, variable.c"),
        "index": ("an index table a class, an array an object", "Ruby 2.3 on (#11170)"),
    },
    "feature_keys": {
        "copied": ("each key is an allocation of its own", "Ruby up to 2.5, load.c"),
        "shared": ("keys point into the feature and one copy without its extension", "proposed in Ruby #14460"),
        "hashed": ("a key is a 64-bit hash of the suffix, a hit is verified", "Ruby 2.6 on (#14460, #8158)"),
    },
    "prelude": {
        "eager": ("before the program, needed or not", "Ruby 1.9.2, and 2.0 on"),
        "lazy": ("when a require finds no file, or the program names Gem", "the change of #4962"),
        "none": ("never", "ruby --disable-gems"),
    },
    "collector": {
        "mark_sweep": ("each collection marks all that lives; lazy sweep", "Ruby 1.9.3 to 2.0, gc.c"),
        "generational": ("most look at young slots alone; write barrier, remembered set", "Ruby 2.1 on (RGenGC), the first remedy of #4962"),
    },
}

def default_backend(axis):
    """The backend that a build has where the axis's flag is not given."""
    return BACKENDS[axis].keys()[0]

def camel_case(name):
    return "".join([word.capitalize() for word in name.split("_")])

def class_of(axis, backend):
    """The C++ class of a backend: KhashInterning."""
    return camel_case(backend) + camel_case(axis)

def check_point(point):
    """Fails, with the names that there are, unless `point` (axis -> backend) names axes and backends that exist."""
    for axis, backend in point.items():
        if axis not in AXES:
            fail("no axis %r; the axes are %s" % (axis, ", ".join(AXES.keys())))
        if backend not in BACKENDS[axis]:
            fail("no backend %r of %s; the backends are %s" % (backend, axis, ", ".join(BACKENDS[axis].keys())))

def variant_name(point):
    """The name of a variant: its non-default backends in axis order, or "baseline" where there are none."""
    check_point(point)
    parts = [
        "%s=%s" % (axis, point[axis])
        for axis in AXES
        if axis in point and point[axis] != default_backend(axis)
    ]
    return ",".join(parts) or "baseline"

def full_point(point):
    """The point with the default of every axis that it leaves out: a backend for every axis, in axis order."""
    check_point(point)
    return {axis: point.get(axis, default_backend(axis)) for axis in AXES}

# --- Matrices: lists of points. ---

def _swaps():
    """The baseline, then every backend that is not a default, alone."""
    return [{}] + [
        {axis: backend}
        for axis in AXES
        for backend in BACKENDS[axis].keys()[1:]
    ]

def _product(choices):
    """Every combination of `choices` (axis -> backends), the first axis changing slowest."""
    points = [{}]
    for axis, backends in choices.items():
        points = [dict(point, **{axis: backend}) for point in points for backend in backends]
    return points

# The two keyed designs that answer #14460 are compared in `swaps`; `full` crosses the one that was proposed.
_FULL = _product({
    "interning": ["st_chained", "khash", "robin_map"],
    "resurrect": ["copying", "shared"],
    "ivars": ["hash", "index"],
    "feature_keys": ["copied", "shared"],
})

# The sides of the claims (experiments/claim/data): what each discussion changed, alone.
_CLAIMS = [
    {},
    {"interning": "st_open"},
    {"interning": "khash"},
    {"resurrect": "shared"},
    {"ivars": "index"},
    {"feature_keys": "shared"},
    {"feature_keys": "hashed"},
    {"prelude": "lazy"},
    {"prelude": "none"},
    {"collector": "generational"},
    {"prelude": "lazy", "collector": "generational"},
    {"prelude": "none", "collector": "generational"},
]

# Points that questions beyond the discussions need and that no other matrix has.
_BEYOND = [
    # What Ruby became: every change of the four discussions as it was merged.
    {"interning": "st_open", "resurrect": "shared", "ivars": "index", "feature_keys": "hashed"},
    # Whether hashed keys still pay where the table behind them allocates less.
    {"interning": "st_open", "feature_keys": "hashed"},
    {"interning": "swiss", "feature_keys": "hashed"},
]

def _distinct(points):
    """The points without those that name a variant named before."""
    return {variant_name(point): full_point(point) for point in points}

# matrix -> (what it holds, variant name -> axis -> backend). The first is the default.
MATRICES = {
    "swaps": ("the baseline and every single swap", _distinct(_swaps())),
    "full": ("every combination of three interning tables and the first two backends of the other axes", _distinct(_FULL)),
    "claims": ("the sides of the discussions' claims", _distinct(_CLAIMS)),
    "extended": ("swaps, full, claims, and pairs that a question needs", _distinct(_swaps() + _FULL + _CLAIMS + _BEYOND)),
}

def _pairs(point):
    axes = AXES.keys()
    return [
        (axes[i], point[axes[i]], axes[j], point[axes[j]])
        for i in range(len(axes))
        for j in range(i + 1, len(axes))
    ]

def _singles(point):
    return point.items()

def _cover(points, parts):
    """Few of the points, found greedily, that together have every part (`parts` of a point) that all of them have."""
    missing = {part: True for point in points.values() for part in parts(point)}
    chosen = {}
    for _ in points:  # Starlark has no while; a round that adds nothing is the end.
        if not missing:
            break
        best = None
        best_gain = 0
        for name, point in points.items():
            gain = len([part for part in parts(point) if part in missing])
            if gain > best_gain:
                best, best_gain = name, gain
        chosen[best] = points[best]
        for part in parts(points[best]):
            missing.pop(part, None)
    return chosen

def every_pair(points):
    """Few of the variants (name -> axis -> backend) that have every pair of backends which any of them has."""
    return _cover(points, _pairs)

def every_backend(points):
    """Few of the variants (name -> axis -> backend) that have every backend which any of them has."""
    return _cover(points, _singles)
