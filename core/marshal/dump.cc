#include "core/marshal/dump.h"

#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/keyed_hash.h"
#include "core/marshal/float_text.h"
#include "core/memory/counting_allocator.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/big_integer.h"
#include "core/object/class.h"
#include "core/object/hash.h"
#include "core/object/string.h"
#include "core/table/chained_table.h"
#include "core/value/slot.h"

namespace rubric {
namespace {

class Dumper {
 public:
  Dumper(MarshalHost& host, const MarshalDumpOptions& options)
      : host_(host), options_(options), scope_(host.heap().roots()) {}

  absl::StatusOr<RString*> Run(Value root) {
    scope_.Push(root);
    out_ = scope_.Keep(NewString(host_.heap(), host_.classes().string, {}, Encoding::kBinary));
    Byte(kMarshalMajor);
    Byte(kMarshalMinor);
    Begin(root);
    while (status_.ok() && !frames_.empty()) Step();
    if (!status_.ok()) return status_;
    return out_;
  }

 private:
  // What is being written: elements of an array, or values on pending_, with their names if these
  // are ivars.
  struct Frame {
    enum Kind : std::uint8_t { kElements, kValues, kIvars };
    enum After : std::uint8_t { kNothing, kWriteIvars, kNumberObject };
    Kind kind;
    After after;       // what comes when all is written
    RBasic* object;    // the array, and what `after` is about
    std::size_t base;  // of pending_, its length before this frame
    std::size_t next;  // index of an array's elements or of pending_
  };

  using Table = ChainedTable<Value, std::uint64_t, Subsystem::kVm>;

  static std::uint64_t HashOf(Value v) { return MixInteger(v.bits()); }
  static auto Same(Value v) {
    return [v](Value stored) { return stored == v; };
  }

  void Byte(char c) { AppendToString(out_, {&c, 1}); }
  void Long(std::int64_t n) { AppendToString(out_, MarshalLong(n).bytes()); }
  void Count(std::size_t n) {
    if (n > INT32_MAX) Fail(absl::StrCat("a length of ", n, ", more than the format has"));
    Long(static_cast<std::int64_t>(n));
  }
  void Bytes(std::string_view bytes) {
    Count(bytes.size());
    AppendToString(out_, bytes);
  }
  void Fail(const std::string& what) { Fail(absl::InvalidArgumentError(what)); }
  void Fail(const absl::Status& status) {
    if (status_.ok()) {
      status_ = absl::Status(status.code(), absl::StrCat("marshal dump, byte ", out_->length(),
                                                         ": ", std::string(status.message())));
    }
  }

  // The object's number, if it was written before; else it gets the next.
  bool WriteLinkOrNumber(Value v) {
    const auto found = objects_.FindOrInsert(
        HashOf(v), Same(v), [&] { return std::pair<Value, std::uint64_t>(v, object_count_); });
    if (found.inserted) {
      ++object_count_;
      return false;
    }
    Byte('@');
    Long(static_cast<std::int64_t>(*found.record));
    return true;
  }

  // One step: the next value of the innermost frame, or its end.
  void Step() {
    Frame& top = frames_.back();
    if (top.kind == Frame::kElements) {
      const auto* array = static_cast<const RArray*>(top.object);
      if (top.next < array->length()) return Begin(array->data()[top.next++]);
    } else if (top.next < pending_.size()) {
      if (top.kind == Frame::kIvars) WriteSymbol(pending_[top.next++]);
      return Begin(pending_[top.next++]);
    }
    const Frame done = top;
    frames_.pop_back();
    pending_.resize(done.base);
    if (done.after == Frame::kWriteIvars) WriteIvars(done.object);
    if (done.after == Frame::kNumberObject) Number(Value(done.object));
  }

  void Open(const Frame& frame) {
    if (frames_.size() >= options_.max_depth) {
      return Fail(absl::StrCat("values lie deeper in each other than ", options_.max_depth));
    }
    frames_.push_back(frame);
  }

  // What a hook gives is in no root, so the array that keeps it is there before.
  void PrepareTemporaries() {
    if (temporaries_ == nullptr) temporaries_ = scope_.Keep(NewArray(host_.heap(), nullptr));
  }
  // Keeps what a hook made to the end: it, or what it refers to, is numbered, and another slot at its
  // place would be taken for it.
  void KeepTemporary(Value v) { Push(host_.heap(), temporaries_, v); }

  // Writes the value, or its head and opens a frame for the rest.
  void Begin(Value v) {
    if (v.IsNil()) return Byte('0');
    if (v == Value::True()) return Byte('T');
    if (v == Value::False()) return Byte('F');
    if (v.IsFixnum()) return WriteFixnum(v.AsFixnum());
    if (v.IsStaticSymbol() || IsType(v, Type::kSymbol)) return WriteSymbol(v);
    if (v.IsFlonum()) {
      if (!WriteLinkOrNumber(v)) WriteFloat(v.AsFlonum());
      return;
    }
    if (!v.IsPointer()) return Fail("a value that no program sees");
    RBasic* slot = v.AsSlot();
    if (slot->type() == Type::kData || slot->type() == Type::kObject) {
      if (const MarshalHook* hook = host_.FindHook(slot->klass)) return BeginHooked(slot, *hook);
    }
    if (WriteLinkOrNumber(v)) return;
    if (slot->type() == Type::kObject) {
      if (!WriteClass('o', slot->klass)) return;
      return WriteIvars(slot);
    }
    const bool ivars = HasIvars(slot);
    if (ivars) Byte('I');
    BeginSlot(slot, ivars ? Frame::kWriteIvars : Frame::kNothing);
  }

  void BeginSlot(RBasic* slot, Frame::After after) {
    switch (slot->type()) {
      case Type::kFloat:
        WriteFloat(static_cast<RFloat*>(slot)->number);
        break;
      case Type::kString:
        if (!WriteSubclass(slot, host_.classes().string)) return;
        Byte('"');
        Bytes(static_cast<RString*>(slot)->bytes());
        break;
      case Type::kArray:
        if (!WriteSubclass(slot, host_.classes().array)) return;
        Byte('[');
        Count(static_cast<RArray*>(slot)->length());
        return Open({Frame::kElements, after, slot, pending_.size(), 0});
      case Type::kHash:
        return BeginHash(static_cast<RHash*>(slot), after);
      case Type::kClass:
        if (const RString* name = ClassName(static_cast<RClass*>(slot))) {
          Byte('c');
          Bytes(name->bytes());
        }
        break;
      case Type::kData:
        if (const RData* integer = AsBigInteger(Value(slot))) {
          WriteBig(BigIsNegative(integer), BigMagnitude(integer));
          break;
        }
        return Fail(
            absl::StrCat("no _dump_data is defined for class ", NameForMessage(slot->klass)));
      default:
        return Fail(absl::StrCat("a ", std::string(TypeName(slot->type())), " has no dump"));
    }
    if (after == Frame::kWriteIvars) WriteIvars(slot);
  }

  static std::string_view TypeName(Type type) { return kTypeNames[static_cast<std::size_t>(type)]; }

  void BeginHash(RHash* hash, Frame::After after) {
    if (!WriteSubclass(hash, host_.classes().hash)) return;
    Byte(hash->default_value.IsNil() ? '{' : '}');
    Count(HashSize(hash));
    const std::size_t base = pending_.size();
    ForEachPair(hash, [&](Value key, Value value) {
      pending_.push_back(key);
      pending_.push_back(value);
    });
    if (!hash->default_value.IsNil()) pending_.push_back(hash->default_value);
    Open({Frame::kValues, after, hash, base, base});
  }

  void BeginHooked(RBasic* object, const MarshalHook& hook) {
    if (const auto* user_defined = std::get_if<UserDefinedHook>(&hook)) {
      return BeginUserDefined(object, *user_defined);
    }
    if (WriteLinkOrNumber(Value(object))) return;
    PrepareTemporaries();
    const absl::StatusOr<Value> data = std::get<UserMarshalHook>(hook).dump(host_, object);
    if (!data.ok()) return Fail(data.status());
    KeepTemporary(*data);
    if (!WriteClass('U', object->klass)) return;
    const std::size_t base = pending_.size();
    pending_.push_back(*data);
    Open({Frame::kValues, Frame::kNothing, nullptr, base, base});
  }

  // Ruby numbers such an object only after what the ivars of its data hold.
  void BeginUserDefined(RBasic* object, const UserDefinedHook& hook) {
    if (const std::uint64_t* number = objects_.Find(HashOf(Value(object)), Same(Value(object)))) {
      Byte('@');
      return Long(static_cast<std::int64_t>(*number));
    }
    PrepareTemporaries();
    const absl::StatusOr<RString*> data = hook.dump(host_, object);
    if (!data.ok()) return Fail(data.status());
    KeepTemporary(Value(*data));
    const bool ivars = HasIvars(*data);
    if (ivars) Byte('I');
    if (!WriteClass('u', object->klass)) return;
    Bytes((*data)->bytes());
    if (ivars) return WriteIvars(*data, Frame::kNumberObject, object);
    Number(Value(object));
  }

  void WriteFixnum(std::int64_t n) {
    if (n >= kMarshalFixnumMin && n <= kMarshalFixnumMax) {
      Byte('i');
      return Long(n);
    }
    // A big integer to the format, and each time it is written an object of its own.
    ++object_count_;
    const std::uint64_t absolute =
        n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    char bytes[sizeof(absolute)];
    std::size_t length = 0;
    for (std::uint64_t left = absolute; left != 0; left >>= 8) {
      bytes[length++] = static_cast<char>(left & 0xff);
    }
    WriteBig(n < 0, {bytes, length});
  }

  void WriteBig(bool negative, std::string_view magnitude) {
    Byte('l');
    Byte(negative ? '-' : '+');
    Count((magnitude.size() + 1) / 2);
    AppendToString(out_, magnitude);
    if (magnitude.size() % 2 != 0) Byte('\0');
  }

  void WriteFloat(double d) {
    FloatTextBuffer buffer;
    Byte('f');
    Bytes(FloatText(d, buffer));
  }

  void WriteSymbol(Value symbol) {
    const auto found = symbols_.FindOrInsert(HashOf(symbol), Same(symbol), [&] {
      return std::pair<Value, std::uint64_t>(symbol, symbols_.size());
    });
    if (!found.inserted) {
      Byte(';');
      return Long(static_cast<std::int64_t>(*found.record));
    }
    const RString* name = host_.NameOf(symbol);
    const bool encoded = name->encoding() != Encoding::kBinary && !IsAscii(name->bytes());
    if (encoded) Byte('I');
    Byte(':');
    Bytes(name->bytes());
    if (encoded) {
      Long(1);
      WriteEncoding(name->encoding());
    }
  }

  void WriteEncoding(Encoding encoding) {
    if (encoding_name_ == Value::Undef()) {
      encoding_name_ = scope_.Push(host_.ToSymbol(kEncodingIvar, Encoding::kUtf8));
    }
    WriteSymbol(encoding_name_);
    Byte(encoding == Encoding::kUtf8 ? 'T' : 'F');
  }

  const RString* ClassName(const RClass* klass) {
    if (klass == nullptr || klass->extension == nullptr || klass->extension->name.number == 0) {
      Fail("an anonymous class has no dump");
      return nullptr;
    }
    return host_.NameOf(host_.SymbolOf(klass->extension->name));
  }
  std::string NameForMessage(const RClass* klass) {
    const RString* name = ClassName(klass);
    return name == nullptr ? "?" : std::string(name->bytes());
  }

  bool WriteClass(char type, const RClass* klass) {
    if (ClassName(klass) == nullptr) return false;
    Byte(type);
    WriteSymbol(host_.SymbolOf(klass->extension->name));
    return true;
  }

  bool WriteSubclass(const RBasic* slot, const RClass* base) {
    return slot->klass == base || WriteClass('C', slot->klass);
  }

  static bool HasEncoding(const RBasic* slot) {
    return slot->type() == Type::kString &&
           static_cast<const RString*>(slot)->encoding() != Encoding::kBinary;
  }
  bool HasIvars(const RBasic* slot) { return HasEncoding(slot) || host_.IvarCount(slot) > 0; }

  // The ivars of `slot`, its encoding first.
  void WriteIvars(RBasic* slot, Frame::After after = Frame::kNothing, RBasic* numbered = nullptr) {
    const std::size_t base = pending_.size();
    host_.IvarsForEach(slot, [&](Id name, Value value) {
      pending_.push_back(host_.SymbolOf(name));
      pending_.push_back(value);
    });
    for (std::size_t i = base; i < pending_.size(); i += 2) {
      const std::string_view name = host_.NameOf(pending_[i])->bytes();
      if (name == kEncodingIvar || name == kEncodingNameIvar || name == kKeywordsIvar) {
        return Fail(absl::StrCat("an ivar named ", std::string(name),
                                 ", which has a meaning of its own in a dump"));
      }
    }
    const bool encoded = HasEncoding(slot);
    Count((pending_.size() - base) / 2 + (encoded ? 1 : 0));
    if (encoded) WriteEncoding(static_cast<RString*>(slot)->encoding());
    Open({Frame::kIvars, after, numbered, base, base});
  }

  void Number(Value v) {
    objects_.FindOrInsert(HashOf(v), Same(v),
                          [&] { return std::pair<Value, std::uint64_t>(v, object_count_); });
    ++object_count_;
  }

  MarshalHost& host_;
  const MarshalDumpOptions options_;
  HandleScope scope_;
  absl::Status status_;
  RString* out_ = nullptr;
  RArray* temporaries_ = nullptr;  // what hooks made
  Value encoding_name_ = Value::Undef();
  std::uint64_t object_count_ = 0;
  Table objects_;  // written objects, by their numbers
  Table symbols_;
  CountedVector<Frame, Subsystem::kVm> frames_;
  CountedVector<Value, Subsystem::kVm> pending_;
};

}  // namespace

absl::StatusOr<RString*> MarshalDump(MarshalHost& host, Value value,
                                     const MarshalDumpOptions& options) {
  return Dumper(host, options).Run(value);
}

}  // namespace rubric
