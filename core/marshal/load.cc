#include "core/marshal/load.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "core/marshal/byte_reader.h"
#include "core/marshal/float_text.h"
#include "core/memory/counting_allocator.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/big_integer.h"
#include "core/object/hash.h"
#include "core/object/object_space.h"
#include "core/object/string.h"
#include "core/value/slot.h"

namespace rubric {
namespace {

// The least bytes of an ivar or of a Hash's pair.
constexpr std::size_t kIvarBytes = 3;
constexpr std::size_t kPairBytes = 2;

bool Inherits(const RClass* klass, const RClass* ancestor) {
  while (klass != nullptr && klass != ancestor) klass = klass->superclass;
  return klass != nullptr;
}

// What a type byte that ruby writes and this does not read stands for; empty for all others.
std::string_view UnsupportedType(char type) {
  switch (type) {
    case '/':
      return "a Regexp";
    case 'S':
      return "a Struct";
    case 'e':
      return "an object extended by a module";
    case 'd':
      return "data of _dump_data";
    case 'm':
    case 'M':
      return "a module";
    default:
      return {};
  }
}

class Loader {
 public:
  Loader(MarshalHost& host, std::string_view bytes, const MarshalLoadOptions& options)
      : host_(host), options_(options), reader_(bytes), scope_(host.heap().roots()) {
    for (RArray** array : {&objects_, &symbols_, &temporaries_}) {
      *array = scope_.Keep(NewArray(host.heap(), nullptr));
    }
  }

  absl::StatusOr<Value> Run() {
    ReadVersion();
    while (reader_.ok()) {
      std::optional<Value> value = Read();
      while (value && reader_.ok()) {
        if (frames_.empty()) return *value;
        value = Deliver(*value);
      }
    }
    return reader_.status();
  }

 private:
  // A value whose content is being read.
  struct Frame {
    enum Kind : std::uint8_t { kElements, kPairs, kIvars, kUserMarshal };
    enum After : std::uint8_t { kNothing, kReadIvars, kLoadUserDefined };
    Kind kind;
    After after;         // what comes when all is read
    bool has_default;    // of kPairs: the last value is the Hash's default
    std::size_t left;    // values to come
    std::size_t offset;  // of the value's type byte
    Value target;        // one of objects_, or, of kLoadUserDefined, the last of temporaries_
    RClass* klass;       // of an object with a hook
    Value key = Value::Undef();  // of the value that comes next
  };

  // What stood before a type byte.
  struct Prefix {
    std::size_t offset;
    bool ivars = false;
    std::optional<Value> subclass;

    Frame::After after() const { return ivars ? Frame::kReadIvars : Frame::kNothing; }
  };

  Heap& heap() { return host_.heap(); }

  std::nullopt_t Fail(std::size_t offset, std::string_view expected,
                      const std::string& found = {}) {
    reader_.Fail(offset, expected, found);
    return std::nullopt;
  }

  void ReadVersion() {
    const std::optional<char> major = reader_.Byte("the version's major number, 4");
    if (major && *major != kMarshalMajor) Fail(0, "the version's major number, 4");
    const std::optional<char> minor = reader_.Byte("the version's minor number, 0 to 8");
    if (minor && (*minor < 0 || *minor > kMarshalMinor)) {
      Fail(1, "the version's minor number, 0 to 8");
    }
  }

  Value Register(Value v) {
    Push(heap(), objects_, v);
    return v;
  }

  // --- Frames

  // The frame's value if nothing is to come; else nothing, and the frame is entered.
  std::optional<Value> Enter(const Frame& frame) {
    if (frame.left == 0) return EndContent(frame);
    if (frames_.size() >= options_.max_depth) {
      return Fail(frame.offset,
                  absl::StrCat("values not deeper in each other than ", options_.max_depth),
                  "one deeper");
    }
    frames_.push_back(frame);
    return std::nullopt;
  }

  // Gives the innermost frame its next value; what it stands for if it was the last.
  std::optional<Value> Deliver(Value v) {
    Frame& top = frames_.back();
    switch (top.kind) {
      case Frame::kElements:
        Push(heap(), As<RArray>(top.target), v);
        break;
      case Frame::kPairs:
        if (top.has_default && top.left == 1) {
          SetHashDefault(heap(), As<RHash>(top.target), v);
        } else if (top.key.IsUndef()) {
          top.key = v;
        } else {
          StorePair(As<RHash>(top.target), top.key, v);
          top.key = Value::Undef();
        }
        break;
      case Frame::kIvars:
        SetIvar(top, v);
        top.key = Value::Undef();
        break;
      case Frame::kUserMarshal: {
        const auto& hook = std::get<UserMarshalHook>(*host_.FindHook(top.klass));
        const absl::Status status = hook.load(host_, top.target.AsSlot(), v);
        if (!status.ok()) reader_.Fail(top.offset, status);
        break;
      }
    }
    if (--top.left > 0) return std::nullopt;
    const Frame done = top;
    frames_.pop_back();
    return EndContent(done);
  }

  std::optional<Value> EndContent(Frame frame) {
    switch (frame.after) {
      case Frame::kNothing:
        return frame.target;
      case Frame::kReadIvars:
        return EnterIvars(frame, Frame::kNothing);
      case Frame::kLoadUserDefined:
        return LoadUserDefined(frame);
    }
    return std::nullopt;
  }

  std::optional<Value> EnterIvars(Frame frame, Frame::After after) {
    const std::size_t at = reader_.offset();
    const std::optional<std::size_t> count = reader_.Length("a number of ivars", kIvarBytes);
    if (!count) return std::nullopt;
    if (*count > 0 && (!frame.target.IsPointer() || frame.target.AsSlot()->frozen())) {
      return Fail(at, "no ivars of an object that is frozen", absl::StrCat(*count));
    }
    frame.kind = Frame::kIvars;
    frame.after = after;
    frame.left = *count;
    return Enter(frame);
  }

  // --- Contents

  void StorePair(RHash* hash, Value key, Value value) {
    // Nothing is made between the key's copy and the store.
    if (IsType(key, Type::kString) && !key.AsSlot()->frozen()) {
      RString* string = As<RString>(key);
      const bool plain = string->klass == host_.classes().string && !string->Has(RBasic::kExivar);
      key = Value(plain ? host_.Fstring(string) : FrozenCopy(heap(), string));
    }
    HashStore(heap(), hash, key, value, host_.hash_seed());
  }

  void SetIvar(const Frame& frame, Value value) {
    RBasic* target = frame.target.AsSlot();
    const std::string_view name = host_.NameOf(frame.key)->bytes();
    if (name == kEncodingIvar || name == kEncodingNameIvar) {
      if (target->type() != Type::kString) {
        Fail(frame.offset, "an object that can have an encoding", "another");
      } else if (name == kEncodingNameIvar) {
        Fail(frame.offset, "a String in UTF-8, US-ASCII or binary", "another encoding");
      } else if (value != Value::True() && value != Value::False()) {
        Fail(frame.offset, "an encoding that is true or false", "another value");
      } else {
        SetStringEncoding(As<RString>(frame.target),
                          value == Value::True() ? Encoding::kUtf8 : Encoding::kUsAscii);
      }
    } else if (name == kKeywordsIvar && target->type() == Type::kHash) {
      Fail(frame.offset, "a Hash that is not of keyword arguments", "one that is");
    } else if (name == kKeywordsIvar) {
      Fail(frame.offset, "an ivar's name", "K, which has a meaning of its own");
    } else if (target->frozen()) {
      Fail(frame.offset, "no ivars of an object that is frozen", "one");
    } else {
      host_.IvarSet(target, host_.IdOf(frame.key), value);
    }
  }

  std::optional<Value> LoadUserDefined(const Frame& frame) {
    const auto& hook = std::get<UserDefinedHook>(*host_.FindHook(frame.klass));
    const absl::StatusOr<RBasic*> made = hook.load(host_, frame.klass, As<RString>(frame.target));
    if (!made.ok()) {
      reader_.Fail(frame.offset, made.status());
      return std::nullopt;
    }
    Register(Value(*made));
    Pop(heap(), temporaries_);
    return Value(*made);
  }

  // --- Symbols and classes

  std::optional<Value> ReadSymbol(std::string_view expected) {
    const std::size_t at = reader_.offset();
    const std::optional<char> type = reader_.Byte(expected);
    if (!type) return std::nullopt;
    switch (*type) {
      case ':':
        return ReadNewSymbol();
      case ';':
        return ReadSymbolLink(at);
      case 'I':
        if (reader_.Byte("a symbol") == ':') return ReadEncodedSymbol();
        return Fail(at + 1, "a symbol");
      default:
        return Fail(at, expected);
    }
  }

  std::optional<Value> ReadNewSymbol() {
    const std::optional<std::string_view> name = reader_.Bytes("a symbol's length");
    if (!name) return std::nullopt;
    const Value symbol =
        host_.ToSymbol(*name, IsAscii(*name) ? Encoding::kUtf8 : Encoding::kBinary);
    Push(heap(), symbols_, symbol);
    return symbol;
  }

  std::optional<Value> ReadSymbolLink(std::size_t at) {
    const std::optional<std::int64_t> index = reader_.Long("a symbol's number");
    if (!index) return std::nullopt;
    const std::size_t known = symbols_->length();
    if (*index < 0 || static_cast<std::size_t>(*index) >= known) {
      return Fail(at + 1, absl::StrCat("the number of one of ", known, " symbols"),
                  absl::StrCat(*index));
    }
    const Value symbol = symbols_->data()[*index];
    if (symbol.IsNil()) return Fail(at + 1, "a symbol that is complete", "one that is not");
    return symbol;
  }

  // Its number comes before that of its encoding's name.
  std::optional<Value> ReadEncodedSymbol() {
    const std::size_t index = symbols_->length();
    Push(heap(), symbols_, Value::Nil());
    const std::optional<std::string_view> name = reader_.Bytes("a symbol's length");
    if (!name) return std::nullopt;
    Encoding encoding = Encoding::kBinary;
    const std::optional<std::size_t> count = reader_.Length("a number of ivars", kIvarBytes);
    if (!count) return std::nullopt;
    for (std::size_t i = 0; i < *count; ++i) {
      const std::size_t at = reader_.offset();
      const std::optional<char> type = reader_.Byte("a symbol's encoding");
      if (!type) return std::nullopt;
      const std::optional<Value> key = *type == ':'   ? ReadNewSymbol()
                                       : *type == ';' ? ReadSymbolLink(at)
                                                      : Fail(at, "a symbol's encoding");
      if (!key) return std::nullopt;
      const std::size_t value_at = reader_.offset();
      const std::optional<char> value = reader_.Byte("T or F, for UTF-8 or US-ASCII");
      if (!value) return std::nullopt;
      if (host_.NameOf(*key)->bytes() != kEncodingIvar) {
        return Fail(at, "a symbol in UTF-8, US-ASCII or binary", "another ivar");
      }
      if (*value != 'T' && *value != 'F') return Fail(value_at, "T or F, for UTF-8 or US-ASCII");
      encoding = *value == 'T' ? Encoding::kUtf8 : Encoding::kUsAscii;
    }
    const Value symbol = host_.ToSymbol(*name, IsAscii(*name) ? Encoding::kUtf8 : encoding);
    Store(heap(), symbols_, static_cast<std::ptrdiff_t>(index), symbol);
    return symbol;
  }

  // The class of this name, which is to inherit from `base`.
  RClass* ClassNamed(std::size_t at, Value name, RClass* base) {
    RClass* klass = host_.FindClass(name);
    const std::string text(host_.NameOf(name)->bytes());
    if (klass == nullptr && options_.define_classes) klass = host_.DefineClass(text, base);
    if (klass == nullptr) {
      Fail(at, "a class that is defined", absl::StrCat("undefined class/module ", text));
    } else if (!Inherits(klass, base)) {
      Fail(at, "a subclass of the type that follows", text);
      return nullptr;
    }
    return klass;
  }

  RClass* ReadClass() {
    const std::size_t at = reader_.offset();
    const std::optional<Value> name = ReadSymbol("a class's name");
    return name ? ClassNamed(at, *name, host_.classes().object) : nullptr;
  }

  // The class of a String, Array or Hash.
  RClass* ClassOf(const Prefix& prefix, RClass* base) {
    if (!prefix.subclass) return base;
    RClass* klass = ClassNamed(prefix.offset, *prefix.subclass, base);
    if (klass == base) {
      Fail(prefix.offset, "a subclass",
           "the class itself, as for a Hash that compares by identity");
      return nullptr;
    }
    return klass;
  }

  // --- Values

  // The next value if it is read at once; nothing if a frame was entered, or at an error.
  std::optional<Value> Read() {
    if (!frames_.empty() && frames_.back().kind == Frame::kIvars) {
      const std::optional<Value> key = ReadSymbol("an ivar's name");
      if (!key) return std::nullopt;
      frames_.back().key = *key;
    }
    Prefix prefix{reader_.offset(), false, std::nullopt};
    for (;;) {
      const std::size_t at = reader_.offset();
      const std::optional<char> type = reader_.Byte("a type");
      if (!type) return std::nullopt;
      if (*type == 'I' && !prefix.ivars && !prefix.subclass) {
        prefix.ivars = true;
      } else if (*type == 'C' && !prefix.subclass) {
        prefix.subclass = ReadSymbol("a class's name");
        if (!prefix.subclass) return std::nullopt;
      } else {
        return ReadOf(*type, at, prefix);
      }
    }
  }

  std::optional<Value> ReadOf(char type, std::size_t at, const Prefix& prefix) {
    if (prefix.subclass && type != '"' && type != '[' && type != '{' && type != '}') {
      if (type != '/') return Fail(at, "a String, an Array or a Hash");
    }
    switch (type) {
      case '"':
        return ReadString(prefix);
      case '[':
        return ReadArray(prefix);
      case '{':
      case '}':
        return ReadHash(prefix, type == '}');
      case 'f':
        return ReadFloat(prefix);
      case 'l':
        return ReadBig(prefix);
      case 'c':
        return ReadClassReference(prefix);
      case 'u':
        return ReadUserDefined(prefix);
      case ':':
        return prefix.ivars ? ReadEncodedSymbol() : ReadNewSymbol();
      default:
        break;
    }
    if (const std::string_view name = UnsupportedType(type); !name.empty()) {
      return Fail(at, "a type that is supported", std::string(name));
    }
    if (prefix.ivars) return Fail(at, "a value that can have ivars of its own");
    switch (type) {
      case '0':
        return Value::Nil();
      case 'T':
        return Value::True();
      case 'F':
        return Value::False();
      case 'i':
        if (const auto number = reader_.Long("an integer")) return Value::Fixnum(*number);
        return std::nullopt;
      case ';':
        return ReadSymbolLink(at);
      case '@':
        return ReadLink(at);
      case 'o':
        return ReadObject(prefix);
      case 'U':
        return ReadUserMarshal(prefix);
      default:
        return Fail(at, "a type");
    }
  }

  std::optional<Value> ReadLink(std::size_t at) {
    const std::optional<std::int64_t> index = reader_.Long("an object's number");
    if (!index) return std::nullopt;
    const std::size_t known = objects_->length();
    if (*index < 0 || static_cast<std::size_t>(*index) >= known) {
      return Fail(at + 1, absl::StrCat("the number of one of ", known, " objects"),
                  absl::StrCat(*index));
    }
    return objects_->data()[*index];
  }

  // A frame for a value without content of its own.
  Frame Ended(const Prefix& prefix, Value v) const {
    return {Frame::kElements, prefix.after(), false, 0, prefix.offset, v, nullptr};
  }

  std::optional<Value> ReadString(const Prefix& prefix) {
    const std::optional<std::string_view> bytes = reader_.Bytes("a String's length");
    if (!bytes) return std::nullopt;
    RClass* klass = ClassOf(prefix, host_.classes().string);
    if (klass == nullptr) return std::nullopt;
    RString* string = NewString(heap(), klass, *bytes, Encoding::kBinary);
    return Enter(Ended(prefix, Register(Value(string))));
  }

  std::optional<Value> ReadArray(const Prefix& prefix) {
    const std::optional<std::size_t> length = reader_.Length("an Array's length", 1);
    if (!length) return std::nullopt;
    RClass* klass = ClassOf(prefix, host_.classes().array);
    if (klass == nullptr) return std::nullopt;
    RArray* array = NewArray(heap(), klass, *length);
    return Enter({Frame::kElements, prefix.after(), false, *length, prefix.offset,
                  Register(Value(array)), nullptr});
  }

  std::optional<Value> ReadHash(const Prefix& prefix, bool has_default) {
    const std::optional<std::size_t> pairs = reader_.Length("a Hash's size", kPairBytes);
    if (!pairs) return std::nullopt;
    RClass* klass = ClassOf(prefix, host_.classes().hash);
    if (klass == nullptr) return std::nullopt;
    RHash* hash = NewHash(heap(), klass);
    return Enter({Frame::kPairs, prefix.after(), has_default, 2 * *pairs + (has_default ? 1 : 0),
                  prefix.offset, Register(Value(hash)), nullptr});
  }

  std::optional<Value> ReadFloat(const Prefix& prefix) {
    const std::size_t at = reader_.offset();
    const std::optional<std::string_view> text = reader_.Bytes("a Float's length");
    if (!text) return std::nullopt;
    const std::optional<double> number = ParseFloatText(*text);
    if (!number) return Fail(at, "a number that a Float holds", "another text");
    return Enter(Ended(prefix, Register(NewFloat(heap(), host_.classes().floating, *number))));
  }

  std::optional<Value> ReadBig(const Prefix& prefix) {
    const std::size_t at = reader_.offset();
    const std::optional<char> sign = reader_.Byte("a sign");
    if (!sign) return std::nullopt;
    if (*sign != '+' && *sign != '-') return Fail(at, "a sign");
    const std::optional<std::size_t> words = reader_.Length("a number of 16-bit words", 2);
    if (!words) return std::nullopt;
    const std::string_view magnitude = reader_.Take(2 * *words);
    RClass* klass = host_.IntegerClass();
    return Enter(Ended(prefix, Register(NewInteger(heap(), klass, *sign == '-', magnitude))));
  }

  std::optional<Value> ReadClassReference(const Prefix& prefix) {
    if (prefix.ivars) return Fail(prefix.offset, "a class without ivars", "one with ivars");
    const std::size_t at = reader_.offset();
    const std::optional<std::string_view> name = reader_.Bytes("the length of a class's name");
    if (!name) return std::nullopt;
    const Value symbol = host_.ToSymbol(*name, Encoding::kUtf8);
    RClass* klass = ClassNamed(at, symbol, host_.classes().object);
    if (klass == nullptr) return std::nullopt;
    return Register(Value(klass));
  }

  std::optional<Value> ReadObject(const Prefix& prefix) {
    const std::size_t at = reader_.offset();
    RClass* klass = ReadClass();
    if (klass == nullptr) return std::nullopt;
    const MarshalHost::Classes& classes = host_.classes();
    for (const RClass* builtin : {classes.klass, classes.string, classes.symbol, classes.array,
                                  classes.hash, classes.floating}) {
      if (Inherits(klass, builtin)) {
        return Fail(at, "a class of plain objects", "one whose objects have a type of their own");
      }
    }
    RObject* object = NewObject(heap(), klass);
    return EnterIvars(Ended(prefix, Register(Value(object))), Frame::kNothing);
  }

  template <typename Hook>
  RClass* ReadHookedClass(std::string_view methods) {
    const std::size_t at = reader_.offset();
    RClass* klass = ReadClass();
    if (klass == nullptr) return nullptr;
    const MarshalHook* hook = host_.FindHook(klass);
    if (hook == nullptr || !std::holds_alternative<Hook>(*hook)) {
      Fail(at, absl::StrCat("a class with ", std::string(methods)), "one without");
      return nullptr;
    }
    return klass;
  }

  std::optional<Value> ReadUserDefined(const Prefix& prefix) {
    RClass* klass = ReadHookedClass<UserDefinedHook>("_load");
    if (klass == nullptr) return std::nullopt;
    const std::optional<std::string_view> bytes = reader_.Bytes("the length of what _dump gave");
    if (!bytes) return std::nullopt;
    RString* data = NewString(heap(), host_.classes().string, *bytes, Encoding::kBinary);
    Push(heap(), temporaries_, Value(data));
    const Frame frame{Frame::kIvars, Frame::kLoadUserDefined, false, 0, prefix.offset, Value(data),
                      klass};
    return prefix.ivars ? EnterIvars(frame, Frame::kLoadUserDefined) : EndContent(frame);
  }

  std::optional<Value> ReadUserMarshal(const Prefix& prefix) {
    RClass* klass = ReadHookedClass<UserMarshalHook>("marshal_load");
    if (klass == nullptr) return std::nullopt;
    const auto& hook = std::get<UserMarshalHook>(*host_.FindHook(klass));
    const Value object = Register(Value(hook.allocate(host_, klass)));
    return Enter({Frame::kUserMarshal, Frame::kNothing, false, 1, prefix.offset, object, klass});
  }

  MarshalHost& host_;
  const MarshalLoadOptions options_;
  ByteReader reader_;
  HandleScope scope_;
  RArray* objects_ = nullptr;      // by their numbers
  RArray* symbols_ = nullptr;      // likewise; nil while the encoding is not known yet
  RArray* temporaries_ = nullptr;  // what user-defined hooks will be given
  CountedVector<Frame, Subsystem::kVm> frames_;
};

}  // namespace

absl::StatusOr<Value> MarshalLoad(MarshalHost& host, std::string_view bytes,
                                  const MarshalLoadOptions& options) {
  return Loader(host, bytes, options).Run();
}

}  // namespace rubric
