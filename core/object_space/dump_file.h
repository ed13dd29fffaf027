// DumpFile: a file that appears under its name only when it was written whole.
//
// USE        Open(path), Write(…) …, Commit(). Until then the bytes are in `path`.part in the same
//            folder, which goes when the DumpFile goes without Commit. Not copied or moved.
// ERRORS     Each says which file and the system's reason; a full disk is found by Write or Commit.
// TESTED BY  dump_file_test.cc.
#ifndef RUBRIC_CORE_OBJECT_SPACE_DUMP_FILE_H_
#define RUBRIC_CORE_OBJECT_SPACE_DUMP_FILE_H_

#include <cstdio>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace rubric {

class DumpFile {
 public:
  explicit DumpFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {}
  ~DumpFile();
  DumpFile(const DumpFile&) = delete;
  DumpFile& operator=(const DumpFile&) = delete;

  absl::Status Open();
  absl::Status Write(std::string_view bytes);  // REQUIRES: open
  absl::Status Commit();                       // REQUIRES: open; at most once

 private:
  absl::Status Failure(const char* what) const;  // with errno's reason

  const std::string path_;
  const std::string part_;
  std::FILE* file_ = nullptr;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_SPACE_DUMP_FILE_H_
