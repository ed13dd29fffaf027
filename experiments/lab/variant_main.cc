// The lab's main, and all of it that depends on the axes: the one file that is compiled per
// variant.
//
// One file rather than one an experiment, because parsing and instantiating the VM costs more than
// all experiments together: 24 variants are built for the full matrix.

#include "core/vm/selected.h"
#include "experiments/array_literal/array_literal.h"
#include "experiments/boot/boot.h"
#include "experiments/gc_tempfile/gc_tempfile.h"
#include "experiments/generic_ivars/generic_ivars.h"
#include "experiments/intern/intern.h"
#include "experiments/lab/benchmarks.h"
#include "experiments/lab/lab_main.h"
#include "experiments/lab/variant.h"
#include "experiments/marshal/marshal.h"
#include "experiments/replay/replay_experiment.h"
#include "experiments/require/require.h"
#include "experiments/tls_clients/tls_clients.h"

int main(int argc, char** argv) {
  using namespace rubric;
  const LabVariant variant =
      MakeLabVariant({{"interning", std::string(SelectedInterning::kName)},
                      {"resurrect", std::string(SelectedResurrect::kName)},
                      {"ivars", std::string(SelectedIvars::kName)},
                      {"feature_keys", std::string(SelectedFeatureKeys::kName)},
                      {"prelude", std::string(SelectedPrelude::kName)},
                      {"collector", std::string(SelectedCollector::kName)}},
                     {&RequireExperiment(), &ArrayLiteralExperiment(), &InternExperiment(),
                      &GenericIvarsExperiment(), &ReplayExperiment(), &TlsClientsExperiment(),
                      &GcTempfileExperiment(), &MarshalExperiment(), &BootExperiment()});
  return LabMain(argc, argv, variant);
}
