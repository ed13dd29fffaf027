// VmAxes: one backend for every axis, as a type.
//
// USE        struct MyAxes { using Interning = …; using Resurrect = …; using Ivars = …; using
//            FeatureKeys = …; using Prelude = …; using Collector = …; }; VirtualMachine<MyAxes>.
//            SelectedAxes (selected.h) is what the build flags chose.
#ifndef RUBRIC_CORE_VM_AXES_H_
#define RUBRIC_CORE_VM_AXES_H_

#include "core/collector/collector.h"
#include "core/feature_keys/feature_keys.h"
#include "core/interning/interning.h"
#include "core/ivars/ivars.h"
#include "core/prelude/prelude.h"
#include "core/resurrect/resurrect.h"

namespace rubric {

template <typename A>
concept VmAxes =
    InterningBackend<typename A::Interning> && ResurrectBackend<typename A::Resurrect> &&
    IvarsBackend<typename A::Ivars> && FeatureKeysBackend<typename A::FeatureKeys> &&
    PreludeBackend<typename A::Prelude> && CollectorBackend<typename A::Collector>;

}  // namespace rubric

#endif  // RUBRIC_CORE_VM_AXES_H_
