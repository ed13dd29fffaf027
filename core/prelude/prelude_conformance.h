// The conformance suite of the prelude axis: every backend passes it.
//
// USE        INSTANTIATE_TYPED_TEST_SUITE_P(Lazy, PreludeConformance, LazyPrelude); Tests are named
//            by the invariant of prelude.h that they hold the backend to.
#ifndef RUBRIC_CORE_PRELUDE_PRELUDE_CONFORMANCE_H_
#define RUBRIC_CORE_PRELUDE_PRELUDE_CONFORMANCE_H_

#include <random>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/prelude/prelude.h"
#include "gtest/gtest.h"

namespace rubric {

template <typename Backend>
class PreludeConformance : public ::testing::Test {
 protected:
  static_assert(PreludeBackend<Backend>);
  static constexpr PreludeTime kWhen = Backend::kTraits.when;

  // Need(), which must not fail.
  bool Needs(PreludeNeed need) {
    const absl::StatusOr<bool> ran = prelude_.Need(need);
    EXPECT_TRUE(ran.ok()) << ran.status();
    return ran.ok() && *ran;
  }
  absl::Status Boot() {
    return prelude_.Boot([this] {
      ++runs_;
      return absl::OkStatus();
    });
  }

  Backend prelude_;
  int runs_ = 0;
};

TYPED_TEST_SUITE_P(PreludeConformance);

// (1) and (2), over every order of needs.
TYPED_TEST_P(PreludeConformance, TheBodyRunsOnceAtItsTime) {
  std::mt19937 random(1);
  for (int round = 0; round < 1000; ++round) {
    this->prelude_ = TypeParam();
    this->runs_ = 0;
    ASSERT_TRUE(this->Boot().ok());
    EXPECT_EQ(this->runs_, this->kWhen == PreludeTime::kAtBoot ? 1 : 0);
    for (int step = 0; step < 8; ++step) {
      const auto need = random() % 2 == 0 ? PreludeNeed::kMissed : PreludeNeed::kMention;
      const bool first = step == 0 && this->kWhen == PreludeTime::kAtNeed;
      ASSERT_EQ(this->Needs(need), first);
      ASSERT_EQ(this->runs_, this->kWhen == PreludeTime::kNever ? 0 : 1);
      ASSERT_EQ(this->prelude_.loaded(), this->runs_ == 1);
    }
  }
}

// (3): as RubyGems' own `require` of an optional file.
TYPED_TEST_P(PreludeConformance, ANeedOutOfTheBodyFindsNothing) {
  int nested = 0;
  const PreludeBody body = [&] {
    for (const PreludeNeed need : {PreludeNeed::kMissed, PreludeNeed::kMention}) {
      ++nested;
      EXPECT_FALSE(this->Needs(need));
      EXPECT_FALSE(this->prelude_.loaded());
    }
    return absl::OkStatus();
  };
  ASSERT_TRUE(this->prelude_.Boot(body).ok());
  this->Needs(PreludeNeed::kMissed);
  EXPECT_EQ(nested, this->kWhen == PreludeTime::kNever ? 0 : 2);
  EXPECT_EQ(this->prelude_.loaded(), this->kWhen != PreludeTime::kNever);
}

// (4)
TYPED_TEST_P(PreludeConformance, AFailureIsToldOnceAndNotTriedAgain) {
  const absl::Status broken = absl::DataLossError("the recording is cut off");
  int runs = 0;
  const absl::Status boot = this->prelude_.Boot([&] {
    ++runs;
    return broken;
  });
  EXPECT_EQ(boot, this->kWhen == PreludeTime::kAtBoot ? broken : absl::OkStatus());
  const absl::StatusOr<bool> first = this->prelude_.Need(PreludeNeed::kMention);
  EXPECT_EQ(first.status(), this->kWhen == PreludeTime::kAtNeed ? broken : absl::OkStatus());
  EXPECT_FALSE(this->Needs(PreludeNeed::kMissed));
  EXPECT_EQ(runs, this->kWhen == PreludeTime::kNever ? 0 : 1);
  EXPECT_FALSE(this->prelude_.loaded());
}

// (5)
TYPED_TEST_P(PreludeConformance, WithoutBootThereIsNoPrelude) {
  EXPECT_FALSE(this->Needs(PreludeNeed::kMissed));
  EXPECT_FALSE(this->Needs(PreludeNeed::kMention));
  EXPECT_FALSE(this->prelude_.loaded());
}

REGISTER_TYPED_TEST_SUITE_P(PreludeConformance, TheBodyRunsOnceAtItsTime,
                            ANeedOutOfTheBodyFindsNothing, AFailureIsToldOnceAndNotTriedAgain,
                            WithoutBootThereIsNoPrelude);

}  // namespace rubric

#endif  // RUBRIC_CORE_PRELUDE_PRELUDE_CONFORMANCE_H_
