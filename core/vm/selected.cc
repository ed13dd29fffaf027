#include "core/vm/selected.h"

namespace rubric {

template class VirtualMachine<SelectedAxes>;

}  // namespace rubric
