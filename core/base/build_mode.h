// The checking builds, as constants: code says `if constexpr (kHostile)`, never `#ifdef`.
//
// USE        Set by --config=hostile, --config=gc_stress and the sanitizer configs of .bazelrc,
//            through one macro each that only this header reads. All code of one program is built
//            alike.
// SOURCE     The idea of a hostile build (tiny sizes, junk in freed memory) is that of Lua's
//            ltests.h.
#ifndef RUBRIC_CORE_BASE_BUILD_MODE_H_
#define RUBRIC_CORE_BASE_BUILD_MODE_H_

#ifndef RUBRIC_HOSTILE
#define RUBRIC_HOSTILE 0
#endif
#ifndef RUBRIC_GC_STRESS
#define RUBRIC_GC_STRESS 0
#endif
#ifndef RUBRIC_DCHECKS
#define RUBRIC_DCHECKS 0
#endif

namespace rubric {

// Tables start at their smallest size, pages hold a few slots, freed memory is filled with junk.
inline constexpr bool kHostile = RUBRIC_HOSTILE != 0;

// Every slot allocation collects first, unless a test says otherwise.
inline constexpr bool kGcStressByDefault = RUBRIC_GC_STRESS != 0;

// RUBRIC_DCHECK is evaluated.
inline constexpr bool kDchecks = RUBRIC_DCHECKS != 0;

}  // namespace rubric

#endif  // RUBRIC_CORE_BASE_BUILD_MODE_H_
