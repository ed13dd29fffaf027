// TempFile: a temporary file with a given content, read from its begin again and again.
//
// USE        absl::StatusOr<TempFile> file = TempFile::Create(content); file->ReadFromBegin(buffer).
// COST       Two system calls a read: what Tempfile#rewind and #read come to.
// VALIDITY   The file has no name any more once it is made: it is gone with its TempFile, however
//            the process ends.
// ERRORS     A Status that names the folder, what was tried, and what the system said.
// TESTED BY  temp_file_test.cc.
#ifndef RUBRIC_EXPERIMENTS_GC_TEMPFILE_TEMP_FILE_H_
#define RUBRIC_EXPERIMENTS_GC_TEMPFILE_TEMP_FILE_H_

#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace rubric {

class TempFile {
 public:
  // In the folder that the environment's TMPDIR names, else in /tmp.
  static absl::StatusOr<TempFile> Create(std::string_view content);

  TempFile(TempFile&& other) noexcept;
  TempFile& operator=(TempFile&& other) = delete;
  ~TempFile();

  // Fills `buffer` with the first bytes of the file. An error where it has fewer.
  absl::Status ReadFromBegin(std::span<char> buffer) const;

 private:
  TempFile(int descriptor, std::string folder);

  int descriptor_;  // -1 once moved from
  std::string folder_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_GC_TEMPFILE_TEMP_FILE_H_
