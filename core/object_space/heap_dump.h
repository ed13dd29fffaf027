// DumpHeap, DumpObject: ObjectSpace.dump_all and ObjectSpace.dump.
//
// USE        DumpHeap(vm, sink) shows the whole heap to `sink`: the roots, then each slot, by address
//            of its page; heap_dump_writer.h says what a line looks like. DumpObject shows one value.
//            dump_file.h is a sink that leaves a whole file or none.
// COST       O(heap) time; 16 KiB of memory beside the heap. Allocates no slot; ends a sweep that is
//            under way, so that no garbage of the last collection is shown. What became garbage
//            since is: collect first to be rid of it.
// INVARIANTS (1) Each reference, class and superclass is the address of a line of the dump. (2) The
//            references are those that the collector follows, in its order.
// ERRORS     Those of the sink, after which nothing more is written.
// TESTED BY  heap_dump_test.cc, ruby_shape_test.cc; experiments/lab/dump_test.py.
#ifndef RUBRIC_CORE_OBJECT_SPACE_HEAP_DUMP_H_
#define RUBRIC_CORE_OBJECT_SPACE_HEAP_DUMP_H_

#include <string_view>

#include "absl/status/status.h"
#include "core/heap/marker.h"
#include "core/heap/page.h"
#include "core/object/class.h"
#include "core/object/layout.h"
#include "core/object_space/heap_dump_writer.h"
#include "core/value/value.h"

namespace rubric {
namespace heap_dump_internal {

inline void VisitReference(void* writer, RBasic* slot) {
  static_cast<HeapDumpWriter*>(writer)->Reference(slot);
}

template <typename Vm>
void WriteSlot(Vm& vm, RBasic* slot, HeapDumpWriter& writer) {
  std::string_view name;
  if (slot->type() == Type::kClass) {
    const ClassExtension* extension = static_cast<RClass*>(slot)->extension;
    if (extension != nullptr && extension->name.number != 0) {
      name = vm.names().NameOf(extension->name)->bytes();
    }
  }
  writer.BeginSlot(slot, name);
  Marker references(VisitReference, &writer);
  vm.MarkChildren(references, slot);
  writer.EndSlot({.memsize = vm.MemsizeOf(Value(slot)),
                  .write_barrier_protected = !slot->Has(RBasic::kUnprotected),
                  .old = slot->Has(RBasic::kOld),
                  .marked = IsMarked(slot)});
}

}  // namespace heap_dump_internal

template <typename Vm>
absl::Status DumpHeap(Vm& vm, DumpSink sink) {
  vm.collector().FinishSweep();
  HeapDumpWriter writer(sink);
  Marker references(heap_dump_internal::VisitReference, &writer);
  writer.BeginRoot("vm");
  vm.MarkRoots(references);
  writer.EndRoot();
  writer.BeginRoot("machine_context");
  vm.roots().ForEach([&](Value v) { references.Mark(v); });
  writer.EndRoot();
  vm.heap().ForEachSlot([&](RBasic* slot) {
    if (writer.ok()) heap_dump_internal::WriteSlot(vm, slot, writer);
  });
  return writer.Finish();
}

template <typename Vm>
absl::Status DumpObject(Vm& vm, Value value, DumpSink sink) {
  HeapDumpWriter writer(sink);
  if (value.IsPointer()) {
    heap_dump_internal::WriteSlot(vm, value.AsSlot(), writer);
  } else {
    std::string_view name;
    if (value.IsStaticSymbol()) name = vm.names().NameOf(value.AsStaticSymbol())->bytes();
    writer.Immediate(value, name);
  }
  return writer.Finish();
}

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_SPACE_HEAP_DUMP_H_
