// StChainedInterning: the ordered, chained hash table of Ruby up to 2.3.
//
// USE        --interning=st_chained. See interning.h for what a table does.
// LAYOUT     core/table/chained_table.h: a header of 48 bytes, bins of 8, and a block of 48 bytes
//            a record.
// COST       Find, FindOrInsert, Delete O(chain), at most 5 records a bin at the mean; EraseIf
//            O(size). Memory: 48 + 8 x bins + 48 a record, and one malloc a record; what is
//            deleted is freed at once, bins never shrink. With room for 1,000: 1,024 bins, 8,240
//            bytes.
// SOURCE     string.c and symbol.c over st.c of Ruby 2.3 (r56649 measured). Ruby's Clear would
//            keep the bins.
// TESTED BY  st_chained_interning_test.cc by interning_conformance.h; interning_fuzz.cc.
#ifndef RUBRIC_BACKENDS_INTERNING_ST_CHAINED_ST_CHAINED_INTERNING_H_
#define RUBRIC_BACKENDS_INTERNING_ST_CHAINED_ST_CHAINED_INTERNING_H_

#include <string_view>

#include "core/interning/interning.h"
#include "core/interning/st_intern_table.h"
#include "core/table/chained_table.h"

namespace rubric {

struct StChainedInterning {
  static constexpr std::string_view kName = "st_chained";
  static constexpr InterningTraits kTraits = {.insertion_ordered = true,
                                              .allocates_per_entry = true};

  template <InternRecord Record>
  using Table = StInternTable<Record, ChainedTable>;
};

static_assert(InterningBackend<StChainedInterning>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_INTERNING_ST_CHAINED_ST_CHAINED_INTERNING_H_
