// Vm: the virtual machine over the backends that the build flags chose, one flag an axis.
#ifndef RUBRIC_CORE_VM_SELECTED_H_
#define RUBRIC_CORE_VM_SELECTED_H_

#include "backends/collector/selected.h"
#include "backends/feature_keys/selected.h"
#include "backends/interning/selected.h"
#include "backends/ivars/selected.h"
#include "backends/prelude/selected.h"
#include "backends/resurrect/selected.h"
#include "core/vm/vm.h"

namespace rubric {

struct SelectedAxes {
  using Interning = SelectedInterning;
  using Resurrect = SelectedResurrect;
  using Ivars = SelectedIvars;
  using FeatureKeys = SelectedFeatureKeys;
  using Prelude = SelectedPrelude;
  using Collector = SelectedCollector;
};

using Vm = VirtualMachine<SelectedAxes>;

}  // namespace rubric

#endif  // RUBRIC_CORE_VM_SELECTED_H_
