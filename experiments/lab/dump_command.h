// DumpCommand: `lab dump`: the heap as an experiment or a replayed workload leaves it.
//
// USE        `words`: an experiment's name and its flags, or a recorded workload's path, which the
//            experiment `replay` runs; --out=FILE, else standard output. The heap is dumped where the
//            measured part ends: what the experiment holds then is among the roots.
// ERRORS     Each on standard error. The exit status: 0 fine; 2 bad usage, bad input, or a dump that
//            could not be written whole, of which then nothing is left; 3 the experiment's result
//            was wrong.
// TESTED BY  dump_test.py.
#ifndef RUBRIC_EXPERIMENTS_LAB_DUMP_COMMAND_H_
#define RUBRIC_EXPERIMENTS_LAB_DUMP_COMMAND_H_

#include <string>
#include <vector>

#include "experiments/lab/variant.h"

namespace rubric {

int DumpCommand(const LabVariant& variant, std::vector<std::string> words);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_LAB_DUMP_COMMAND_H_
