#include "core/object_space/heap_dump_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "core/base/check.h"
#include "core/object/hash.h"
#include "core/object/object_ivars.h"

namespace rubric {
namespace {

bool IsAscii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Bytes of the UTF-8 character that `bytes` begins with, 0 if none does. REQUIRES: not empty.
std::size_t Utf8Length(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || bytes.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Too long a form, a surrogate, or beyond U+10FFFF.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f)) {
    return 0;
  }
  return length;
}

// Whether the bytes are no text of the string's encoding.
bool IsBroken(const RString* string) {
  std::string_view rest = string->bytes();
  switch (string->encoding()) {
    case Encoding::kBinary:
      return false;
    case Encoding::kUsAscii:
      return !IsAscii(rest);
    case Encoding::kUtf8:
      break;
  }
  while (!rest.empty()) {
    const std::size_t length = Utf8Length(rest);
    if (length == 0) return true;
    rest.remove_prefix(length);
  }
  return false;
}

std::string_view EncodingName(Encoding encoding) {
  switch (encoding) {
    case Encoding::kBinary:
      return "ASCII-8BIT";
    case Encoding::kUtf8:
      return "UTF-8";
    case Encoding::kUsAscii:
      return "US-ASCII";
  }
  CheckFailed(__FILE__, __LINE__, "a string has a known encoding");
}

}  // namespace

void HeapDumpWriter::Flush() {
  if (status_.ok() && used_ > 0) status_ = sink_({buffer_, used_});
  used_ = 0;
}

void HeapDumpWriter::Write(std::string_view text) {
  while (!text.empty()) {
    if (used_ == sizeof(buffer_)) Flush();
    const std::size_t n = std::min(text.size(), sizeof(buffer_) - used_);
    std::memcpy(buffer_ + used_, text.data(), n);
    used_ += n;
    text.remove_prefix(n);
  }
}

void HeapDumpWriter::WriteNumber(std::uint64_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  Write({digits, static_cast<std::size_t>(end - digits)});
}

void HeapDumpWriter::WriteAddress(const void* address) {
  char digits[16];
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  const auto end = std::to_chars(digits, digits + sizeof(digits), number, 16).ptr;
  Write("\"0x");
  Write({digits, static_cast<std::size_t>(end - digits)});
  Write("\"");
}

void HeapDumpWriter::WriteQuoted(std::string_view ascii) {
  constexpr char kHex[] = "0123456789abcdef";
  Write("\"");
  for (const char c : ascii) {
    switch (c) {
      case '"':
      case '\\': {
        const char escaped[] = {'\\', c};
        Write({escaped, 2});
        break;
      }
      case '\b':
        Write("\\b");
        break;
      case '\f':
        Write("\\f");
        break;
      case '\n':
        Write("\\n");
        break;
      case '\r':
        Write("\\r");
        break;
      case '\t':
        Write("\\t");
        break;
      default:
        if (c >= ' ' && c != '\x7f') {
          Write({&c, 1});
          break;
        }
        const char escaped[] = {'\\', 'u', '0', '0', kHex[c >> 4 & 0xf], kHex[c & 0xf]};
        Write({escaped, sizeof(escaped)});
    }
  }
  Write("\"");
}

void HeapDumpWriter::Field(std::string_view key) {
  Write(", \"");
  Write(key);
  Write("\":");
}

void HeapDumpWriter::Flag(bool set, std::string_view key) {
  if (!set) return;
  Field(key);
  Write("true");
}

void HeapDumpWriter::Content(const RString* string) {
  Field("bytesize");
  WriteNumber(string->length());
  if (string->Has(RBasic::kNoembed) && !string->Has(RBasic::kShared) &&
      string->heap.capa != string->length()) {
    Field("capacity");
    WriteNumber(string->heap.capa);
  }
  if (!IsAscii(string->bytes())) return;
  Field("value");
  WriteQuoted(string->bytes());
}

void HeapDumpWriter::StringFields(const RString* string) {
  Flag(!string->Has(RBasic::kNoembed), "embedded");
  Flag(IsBroken(string), "broken");
  Flag(string->Has(RBasic::kFstr), "fstring");
  const bool shared = string->Has(RBasic::kShared);
  Flag(shared, "shared");
  if (!shared) Content(string);
  if (string->encoding() == Encoding::kBinary) return;
  Field("encoding");
  WriteQuoted(EncodingName(string->encoding()));
}

void HeapDumpWriter::TypeFields(const RBasic* slot, std::string_view name) {
  switch (slot->type()) {
    case Type::kString:
      StringFields(static_cast<const RString*>(slot));
      return;
    case Type::kSymbol:
      Content(static_cast<const RSymbol*>(slot)->name);
      return;
    case Type::kArray: {
      const auto* array = static_cast<const RArray*>(slot);
      Field("length");
      WriteNumber(array->length());
      Flag(!array->Has(RBasic::kNoembed) && array->length() > 0, "embedded");
      Flag(array->Has(RBasic::kShared), "shared");
      return;
    }
    case Type::kHash:
      Field("size");
      WriteNumber(HashSize(static_cast<const RHash*>(slot)));
      return;
    case Type::kObject:
      Field("ivars");
      WriteNumber(ObjectIvarSlots(static_cast<const RObject*>(slot)).size());
      return;
    case Type::kClass:
      if (const RClass* superclass = static_cast<const RClass*>(slot)->superclass) {
        Field("superclass");
        WriteAddress(superclass);
      }
      if (!name.empty() && IsAscii(name)) {
        Field("name");
        WriteQuoted(name);
      }
      return;
    case Type::kFloat: {
      const double number = static_cast<const RFloat*>(slot)->number;
      char text[32];
      std::snprintf(text, sizeof(text), "%#g", number);
      Field("value");
      WriteQuoted(std::isnan(number)   ? "NaN"
                  : std::isinf(number) ? (number > 0 ? "Inf" : "-Inf")
                                       : text);
      return;
    }
    case Type::kData:
      Field("struct");
      WriteQuoted(static_cast<const RData*>(slot)->data_type->name);
      return;
    case Type::kImemo:
      Field("imemo_type");
      WriteQuoted("iseq");
      return;
    case Type::kNone:
      break;
  }
  CheckFailed(__FILE__, __LINE__, "a slot has a known type");
}

void HeapDumpWriter::BeginRoot(std::string_view name) {
  own_class_ = nullptr;
  any_reference_ = false;
  Write("{\"type\":\"ROOT\", \"root\":");
  WriteQuoted(name);
}

void HeapDumpWriter::EndRoot() {
  EndReferences();
  Write("}\n");
}

void HeapDumpWriter::BeginSlot(const RBasic* slot, std::string_view name) {
  own_class_ = slot->klass;
  any_reference_ = false;
  Write("{\"address\":");
  WriteAddress(slot);
  Field("type");
  std::string_view type = kTypeNames[static_cast<std::size_t>(slot->type())];
  type.remove_prefix(2);  // T_
  WriteQuoted(type);
  if (slot->klass != nullptr) {
    Field("class");
    WriteAddress(slot->klass);
  }
  Flag(slot->frozen(), "frozen");
  TypeFields(slot, name);
}

void HeapDumpWriter::Reference(const RBasic* slot) {
  if (slot == own_class_) return;
  if (any_reference_) {
    Write(", ");
  } else {
    Field("references");
    Write("[");
    any_reference_ = true;
  }
  WriteAddress(slot);
}

void HeapDumpWriter::EndReferences() {
  if (any_reference_) Write("]");
}

void HeapDumpWriter::EndSlot(const SlotFacts& facts) {
  EndReferences();
  Field("memsize");
  WriteNumber(facts.memsize);
  std::string_view before = ", \"flags\":{\"";
  const auto flag = [&](bool set, std::string_view key) {
    if (!set) return;
    Write(before);
    Write(key);
    Write("\":true");
    before = ", \"";
  };
  flag(facts.write_barrier_protected, "wb_protected");
  flag(facts.old, "old");
  flag(facts.old, "uncollectible");
  flag(facts.marked, "marked");
  Write(before == ", \"" ? "}}\n" : "}\n");
}

void HeapDumpWriter::Immediate(Value value, std::string_view symbol_name) {
  RUBRIC_CHECK(!value.IsPointer() && !value.IsUndef());
  if (value.IsFixnum()) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof(digits), value.AsFixnum()).ptr;
    Write({digits, static_cast<std::size_t>(end - digits)});
  } else if (value.IsFlonum()) {
    char text[32];
    std::snprintf(text, sizeof(text), "%#g", value.AsFlonum());
    Write(text);
  } else if (value.IsStaticSymbol()) {
    Write("{\"type\":\"SYMBOL\"");
    if (IsAscii(symbol_name)) {
      Field("value");
      WriteQuoted(symbol_name);
    }
    Write("}");
  } else {
    Write(value.IsNil() ? "null" : value == Value::True() ? "true" : "false");
  }
  Write("\n");
}

absl::Status HeapDumpWriter::Finish() {
  Flush();
  return status_;
}

}  // namespace rubric
