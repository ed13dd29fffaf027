// HeapDumpWriter: a heap as text, an object a line, in the JSON of Ruby's objspace library.
//
// USE        What a slot says of itself is written here; what only the VM knows (names, ivars, what a
//            slot refers to) is passed in: core/object_space/heap_dump.h puts the two together.
//              writer.BeginRoot("vm"); writer.Reference(slot) …; writer.EndRoot();
//              writer.BeginSlot(slot, name); writer.Reference(child) …; writer.EndSlot(facts);
//              absl::Status status = writer.Finish();
// LAYOUT     Keys and their order are those of Ruby 3.1's ObjectSpace.dump_all:
//              address type class frozen, then by type
//                STRING  embedded broken fstring, then shared, or bytesize capacity value; encoding
//                SYMBOL  bytesize capacity value          ARRAY   length embedded shared
//                HASH    size                             OBJECT  ivars
//                CLASS   superclass name                  FLOAT   value (as text)
//                DATA    struct                           IMEMO   imemo_type
//              references memsize flags{wb_protected old uncollectible marked}
//            What is false, empty or unknown is left out. A string's value is there iff all its bytes
//            are ASCII, so that no dump has bytes that JSON cannot; a shared string has neither
//            bytesize nor value. A root's line is type root references.
// COST       O(bytes written); 16 KiB of memory, however long a line is.
// INVARIANTS After the first error nothing more is written.
// ERRORS     Those of the sink.
// SOURCE     ext/objspace of Ruby 3.1, what it prints.
// TESTED BY  heap_dump_test.cc, ruby_shape_test.cc (against the installed Ruby).
#ifndef RUBRIC_CORE_OBJECT_SPACE_HEAP_DUMP_WRITER_H_
#define RUBRIC_CORE_OBJECT_SPACE_HEAP_DUMP_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

// Takes a dump, piece by piece; pieces do not end where lines do.
using DumpSink = absl::FunctionRef<absl::Status(std::string_view)>;

class HeapDumpWriter {
 public:
  struct SlotFacts {
    std::size_t memsize = 0;  // bytes, the slot included
    bool write_barrier_protected = false;
    bool old = false;
    bool marked = false;
  };

  explicit HeapDumpWriter(DumpSink sink) : sink_(sink) {}
  HeapDumpWriter(const HeapDumpWriter&) = delete;
  HeapDumpWriter& operator=(const HeapDumpWriter&) = delete;

  void BeginRoot(std::string_view name);
  void EndRoot();

  // `name` is that of a class that has one, else empty.
  void BeginSlot(const RBasic* slot, std::string_view name);
  void EndSlot(const SlotFacts& facts);

  // Something that the root or slot which was begun refers to. A slot's own class is passed over.
  void Reference(const RBasic* slot);

  // What is no slot: a number, true, false, null, or {"type":"SYMBOL", …} of `symbol`'s name.
  void Immediate(Value value, std::string_view symbol_name);

  bool ok() const { return status_.ok(); }

  // Writes what is left; whether all was written.
  absl::Status Finish();

 private:
  void Write(std::string_view text);
  void Flush();
  void WriteNumber(std::uint64_t number);
  void WriteAddress(const void* address);
  void WriteQuoted(std::string_view ascii);  // JSON text, with its quotation marks
  void Field(std::string_view key);          // , "key":
  void Flag(bool set, std::string_view key);
  void Content(const RString* string);
  void StringFields(const RString* string);
  void TypeFields(const RBasic* slot, std::string_view name);
  void EndReferences();

  DumpSink sink_;
  absl::Status status_;
  const RBasic* own_class_ = nullptr;  // of the slot that was begun
  bool any_reference_ = false;
  std::size_t used_ = 0;
  char buffer_[16 * 1024];
};

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_SPACE_HEAP_DUMP_WRITER_H_
