// The variant that this program is: the backends' own names, read back from the types it is made
// of.
#ifndef RUBRIC_EXPERIMENTS_LAB_VARIANT_H_
#define RUBRIC_EXPERIMENTS_LAB_VARIANT_H_

#include <string>

#include "reports/results/record.h"

namespace rubric {

// axis -> backend, in the registry's order.
Choices SelectedVariant();

// "baseline", or the backends that are not the defaults: "interning=khash,ivars=index".
std::string SelectedVariantName();

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_LAB_VARIANT_H_
