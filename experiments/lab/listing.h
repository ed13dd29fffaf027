// What the lab says of itself: its experiments with their parameters, and its variant.
#ifndef RUBRIC_EXPERIMENTS_LAB_LISTING_H_
#define RUBRIC_EXPERIMENTS_LAB_LISTING_H_

#include <string>

namespace rubric {

std::string ListingText();
std::string ListingJson();  // one line, without newline; the suite reads it
std::string VariantJson();

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_LAB_LISTING_H_
