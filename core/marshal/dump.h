// MarshalDump: a value and all that it refers to, as the bytes that ruby's Marshal.dump gives.
//
// USE        absl::StatusOr<RString*> bytes = MarshalDump(host, value);
// COST       One pass over what is reachable. Two tables as Ruby's: an entry an object and one a
//            symbol. Nesting costs 48 bytes a level, and 16 a pair of the hashes and ivars that are
//            being written; no machine stack.
// VALIDITY   The string is in no root: keep it. May collect; `value` need not be kept by the caller.
// ERRORS     InvalidArgument for what has no dump: a T_DATA whose class has no hook, an anonymous
//            class, nesting beyond the limit; and what hooks give.
// SOURCE     format.h; ruby 3.1 for the order in which objects are numbered.
// TESTED BY  marshal_test.cc, ruby_exchange_test.cc, marshal_fuzz.cc.
#ifndef RUBRIC_CORE_MARSHAL_DUMP_H_
#define RUBRIC_CORE_MARSHAL_DUMP_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "core/marshal/format.h"
#include "core/marshal/host.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

struct MarshalDumpOptions {
  std::size_t max_depth = kMarshalMaxDepth;
};

absl::StatusOr<RString*> MarshalDump(MarshalHost& host, Value value,
                                     const MarshalDumpOptions& options = {});

}  // namespace rubric

#endif  // RUBRIC_CORE_MARSHAL_DUMP_H_
