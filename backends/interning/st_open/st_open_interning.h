// StOpenInterning: the ordered, open-addressing hash table of Ruby from 2.4 on.
//
// USE        --interning=st_open. See interning.h for what a table does.
// LAYOUT     core/table/open_table.h: a header of 64 bytes, entries of 24 in order of insertion,
//            and twice as many bins of 1, 2 or 4 bytes.
// COST       Find, FindOrInsert, Delete O(1) expected, one bin and one entry touched at best;
//            EraseIf O(entries used). Memory: 64 + capacity x (24 + 2 x bin width), capacity a
//            power of two: 28 to 60 bytes a record; deleted records keep their place until the
//            array is full. With room for 1,000: 28,736 bytes.
// SOURCE     string.c and symbol.c over st.c of Ruby 2.4 (r56650, Feature #12142; measured).
// TESTED BY  st_open_interning_test.cc by interning_conformance.h; interning_fuzz.cc.
#ifndef RUBRIC_BACKENDS_INTERNING_ST_OPEN_ST_OPEN_INTERNING_H_
#define RUBRIC_BACKENDS_INTERNING_ST_OPEN_ST_OPEN_INTERNING_H_

#include <string_view>

#include "core/interning/interning.h"
#include "core/interning/st_intern_table.h"
#include "core/table/open_table.h"

namespace rubric {

struct StOpenInterning {
  static constexpr std::string_view kName = "st_open";
  static constexpr InterningTraits kTraits = {.insertion_ordered = true};

  template <InternRecord Record>
  using Table = StInternTable<Record, OpenTable>;
};

static_assert(InterningBackend<StOpenInterning>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_INTERNING_ST_OPEN_ST_OPEN_INTERNING_H_
