#include "core/object/string.h"

#include <cstring>

#include "core/base/check.h"
#include "core/memory/allocate.h"

namespace rubric {
namespace {

constexpr auto kTag = Subsystem::kStrings;

std::uint64_t StringFlags(RClass* klass, Encoding encoding) {
  return static_cast<std::uint64_t>(Type::kString) |
         static_cast<std::uint64_t>(encoding) << RBasic::kEncodingShift |
         (klass == nullptr ? RBasic::kHidden : 0);
}

RString* AsNewString(Slot* slot) { return static_cast<RString*>(static_cast<RBasic*>(slot)); }

RString* AllocateString(Heap& heap, RClass* klass, Encoding encoding) {
  return AsNewString(heap.Allocate(StringFlags(klass, encoding), klass));
}

void SetOwnBuffer(RString* string, std::string_view bytes, std::size_t capa) {
  auto* buffer = static_cast<char*>(Allocate(kTag, capa + 1));
  std::memcpy(buffer, bytes.data(), bytes.size());
  buffer[bytes.size()] = '\0';
  string->heap.length = bytes.size();
  string->heap.buffer = buffer;
  string->heap.capa = capa;
  string->set_embed_length(0);
  string->Set(RBasic::kNoembed);
  string->Clear(RBasic::kShared);
}

void SetContent(RString* string, std::string_view bytes) {
  if (bytes.size() > RString::kEmbedMax) {
    SetOwnBuffer(string, bytes, bytes.size());
    return;
  }
  bytes.copy(string->embed, bytes.size());  // memcpy from an empty view may be from null
  string->embed[bytes.size()] = '\0';
  string->set_embed_length(bytes.size());
}

// Makes `string` the tail of `root` that begins at `from`.
void ShareTail(Heap& heap, RString* string, RString* root, std::size_t from) {
  RUBRIC_DCHECK(root->frozen() && root->Has(RBasic::kNoembed) && !root->Has(RBasic::kShared));
  string->Set(RBasic::kNoembed | RBasic::kShared);
  string->set_embed_length(0);
  string->heap.length = root->heap.length - from;
  string->heap.buffer = root->heap.buffer + from;
  string->heap.shared = root;
  root->Set(RBasic::kSharedRoot);
  heap.WriteBarrier(string, Value(root));
}

}  // namespace

RString* NewString(Heap& heap, RClass* klass, std::string_view bytes, Encoding encoding) {
  RString* string = AllocateString(heap, klass, encoding);
  SetContent(string, bytes);
  return string;
}

RString* NewStringWithoutCollecting(Heap& heap, RClass* klass, std::string_view bytes,
                                    Encoding encoding) {
  RUBRIC_DCHECK(heap.HasFreeSlot());
  RString* string = AsNewString(heap.AllocateEnsured(StringFlags(klass, encoding), klass));
  SetContent(string, bytes);
  return string;
}

RString* SubString(Heap& heap, RString* source, std::size_t from, std::size_t length) {
  RUBRIC_CHECK(from <= source->length() && length <= source->length() - from);
  if (length <= RString::kEmbedMax || from + length < source->length()) {
    RString* copy = AllocateString(heap, source->klass, source->encoding());
    SetContent(copy, source->bytes().substr(from, length));
    return copy;
  }
  HandleScope scope(heap.roots());
  scope.Keep(source);
  RString* root = source->Has(RBasic::kShared) ? source->heap.shared : FrozenCopy(heap, source);
  scope.Keep(root);
  // `source` may itself be a tail of the root.
  const std::size_t skipped = static_cast<std::size_t>(source->heap.buffer - root->heap.buffer);
  RString* tail = AllocateString(heap, source->klass, source->encoding());
  ShareTail(heap, tail, root, skipped + from);
  return tail;
}

RString* FrozenCopy(Heap& heap, RString* source) {
  if (source->frozen()) return source;
  RString* copy = AllocateString(heap, source->klass, source->encoding());
  if (!source->Has(RBasic::kNoembed)) {
    SetContent(copy, source->bytes());
  } else if (source->Has(RBasic::kShared)) {
    RString* root = source->heap.shared;
    ShareTail(heap, copy, root, static_cast<std::size_t>(source->heap.buffer - root->heap.buffer));
  } else {
    // The copy takes the buffer over and becomes the root of its source.
    copy->Set(RBasic::kNoembed);
    copy->heap.length = source->heap.length;
    copy->heap.buffer = source->heap.buffer;
    copy->heap.capa = source->heap.capa;
    FreezeString(copy);
    ShareTail(heap, source, copy, 0);
  }
  FreezeString(copy);
  return copy;
}

void UnshareString(RString* string) {
  if (!string->Has(RBasic::kShared)) return;
  SetOwnBuffer(string, string->bytes(), string->length());
}

void AppendToString(RString* string, std::string_view bytes) {
  RUBRIC_CHECK(!string->frozen(), "a frozen string is appended to");
  UnshareString(string);
  const std::size_t length = string->length() + bytes.size();
  if (!string->Has(RBasic::kNoembed)) {
    if (length <= RString::kEmbedMax) {
      bytes.copy(string->embed + string->embed_length(), bytes.size());
      string->embed[length] = '\0';
      string->set_embed_length(length);
      return;
    }
    SetOwnBuffer(string, string->bytes(), 2 * length);
  } else if (length > string->heap.capa) {
    // `bytes` may be this string's own: find it again after the move.
    const bool inside = bytes.data() >= string->heap.buffer &&
                        bytes.data() <= string->heap.buffer + string->heap.length;
    const std::size_t offset =
        inside ? static_cast<std::size_t>(bytes.data() - string->heap.buffer) : 0;
    string->heap.buffer = static_cast<char*>(Reallocate(kTag, string->heap.buffer, 2 * length + 1));
    string->heap.capa = 2 * length;
    if (inside) bytes = {string->heap.buffer + offset, bytes.size()};
  }
  std::memmove(string->heap.buffer + string->heap.length, bytes.data(), bytes.size());
  string->heap.length = length;
  string->heap.buffer[length] = '\0';
}

void FreeStringBuffer(RString* string) {
  if (string->Has(RBasic::kNoembed) && !string->Has(RBasic::kShared)) {
    Free(kTag, string->heap.buffer);
  }
}

std::size_t StringMemsize(const RString* string) {
  return string->Has(RBasic::kNoembed) && !string->Has(RBasic::kShared) ? string->heap.capa + 1 : 0;
}

void CheckString(const RString* string) {
  RUBRIC_CHECK(string->type() == Type::kString);
  if (!string->Has(RBasic::kNoembed)) {
    RUBRIC_CHECK(string->embed_length() <= RString::kEmbedMax);
    RUBRIC_CHECK(string->embed[string->embed_length()] == '\0');
    RUBRIC_CHECK(!string->Has(RBasic::kShared) && !string->Has(RBasic::kSharedRoot));
    return;
  }
  RUBRIC_CHECK(string->heap.buffer[string->heap.length] == '\0');
  if (string->Has(RBasic::kShared)) {
    const RString* root = string->heap.shared;
    RUBRIC_CHECK(!string->Has(RBasic::kFstr), "an fstr is shared");
    RUBRIC_CHECK(root->frozen() && root->Has(RBasic::kSharedRoot) && !root->Has(RBasic::kShared));
    RUBRIC_CHECK(string->heap.buffer + string->heap.length == root->heap.buffer + root->heap.length,
                 "a shared string does not end where its root does");
  } else {
    RUBRIC_CHECK(string->heap.length <= string->heap.capa);
  }
}

}  // namespace rubric
