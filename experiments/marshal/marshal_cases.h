// The cases of the marshal experiment, which know no variant: compiled once.
//
// USE        Each sets up, measures, and checks what it loaded against what it dumped.
// SOURCE     Ruby's benchmark/bm_marshal_dump_flo.rb, bm_marshal_dump_load_geniv.rb and
//            bm_marshal_dump_load_time.rb, which #11170 gives figures of.
#ifndef RUBRIC_EXPERIMENTS_MARSHAL_MARSHAL_CASES_H_
#define RUBRIC_EXPERIMENTS_MARSHAL_MARSHAL_CASES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "core/marshal/host.h"
#include "core/object/layout.h"
#include "experiments/harness/measurement.h"

namespace rubric::marshal_experiment {

// Dumps an Array of the Floats 0.0, 1.0, 2.0, …: 10,000 at a time, `count` in all.
absl::Status DumpFloats(MarshalHost& host, std::int64_t count, Measurement& measurement);

// Dumps a String with three ivars and loads it, then does so with what was loaded: `count` times.
absl::Status DumpAndLoadString(MarshalHost& host, std::int64_t count, Measurement& measurement);

// Dumps a Time and loads it, `count` Times a nanosecond apart.
absl::Status DumpAndLoadTimes(MarshalHost& host, RClass* time_class, std::int64_t count,
                              Measurement& measurement);

}  // namespace rubric::marshal_experiment

#endif  // RUBRIC_EXPERIMENTS_MARSHAL_MARSHAL_CASES_H_
