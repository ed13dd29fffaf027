// How Times are dumped and loaded: as Ruby's Time#_dump and Time._load.
//
// USE        kTimeHook is registered by VmMarshalHost. kAttributesKeepingTimeHook in its place
//            loads as Ruby up to 2.3 does.
// LAYOUT     8 bytes, two little-endian words of 32 bits, the time being UTC:
//              31 one, 30 utc, 14-29 year less 1900, 10-13 month less 1, 5-9 day, 0-4 hour
//              26-31 minute, 20-25 second, 0-19 microsecond
//            A year outside 1900 to 67435 has 0 or 65535 there, and behind the words the distance
//            from that: a LONG of bytes, and so many little-endian ones.
//            Ivars of the String, after those of the Time: nano_num, nano_den (an exact fraction)
//            and submicro (digits, two a byte) iff there is something below the microseconds;
//            offset iff not UTC; zone.
// SOURCE     Ruby's Time#_dump as ruby 3.1 writes it. Up to 2.3 a loaded Time keeps the String's
//            ivars, these attributes included; later rubies take them off first.
// TESTED BY  ruby_exchange_test.cc, marshal_hooks_test.cc.
#ifndef RUBRIC_CORE_MARSHAL_TIME_HOOK_H_
#define RUBRIC_CORE_MARSHAL_TIME_HOOK_H_

#include "core/marshal/host.h"

namespace rubric {

extern const UserDefinedHook kTimeHook;
extern const UserDefinedHook kAttributesKeepingTimeHook;

}  // namespace rubric

#endif  // RUBRIC_CORE_MARSHAL_TIME_HOOK_H_
