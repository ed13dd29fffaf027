// MarshalLoad: the value that bytes of Ruby's Marshal stand for. The bytes may be anybody's.
//
// USE        absl::StatusOr<Value> value = MarshalLoad(host, bytes). What follows the value is
//            ignored, as Ruby does.
// COST       One pass over the bytes. Memory is proportional to the bytes, whatever lengths they
//            claim: an element, pair or ivar that is announced takes a byte that is there. The
//            exception is Ruby's own: a class with many ivar names makes each object that sets the
//            last of them large. Nesting costs 48 bytes a level and no machine stack.
// VALIDITY   The value is in no root: keep it. May collect; `bytes` must stay as they are, so they
//            must not lie in an unkept slot.
// ERRORS     InvalidArgument with the byte offset and what was expected there. What was made until
//            then is garbage, as any other.
// INVARIANTS A String key of a Hash is stored frozen, a copy of what links to it mean, as Ruby does.
//            Types that are not supported are errors: Regexp '/', Struct 'S', modules 'm', 'M', 'e',
//            'd', and encodings other than UTF-8, US-ASCII and binary.
// SOURCE     format.h; ruby 3.1 for the order in which objects are numbered.
// TESTED BY  marshal_test.cc, load_errors_test.cc, ruby_exchange_test.cc, marshal_fuzz.cc.
#ifndef RUBRIC_CORE_MARSHAL_LOAD_H_
#define RUBRIC_CORE_MARSHAL_LOAD_H_

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/marshal/format.h"
#include "core/marshal/host.h"
#include "core/value/value.h"

namespace rubric {

struct MarshalLoadOptions {
  std::size_t max_depth = kMarshalMaxDepth;
  // A class that is not there is defined, under Object, or under String, Array or Hash for a value
  // of that type. Otherwise it is an error, as in Ruby.
  bool define_classes = false;
};

absl::StatusOr<Value> MarshalLoad(MarshalHost& host, std::string_view bytes,
                                  const MarshalLoadOptions& options = {});

}  // namespace rubric

#endif  // RUBRIC_CORE_MARSHAL_LOAD_H_
