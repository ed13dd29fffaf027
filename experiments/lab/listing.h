// What the lab says of itself: its experiments with their parameters, and its variant.
#ifndef RUBRIC_EXPERIMENTS_LAB_LISTING_H_
#define RUBRIC_EXPERIMENTS_LAB_LISTING_H_

#include <string>

#include "experiments/lab/variant.h"

namespace rubric {

std::string ListingText(const LabVariant& variant);
std::string ListingJson(
    const LabVariant& variant);  // one line, without newline; the suite reads it
std::string VariantJson(const LabVariant& variant);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_LAB_LISTING_H_
