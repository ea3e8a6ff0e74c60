/* Loaded before the C library: moves a program's clock by CLOCK_AHEAD_SECONDS. Timers go on as
 * they are, because only the time of day is moved. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, now);
  const char *ahead = getenv("CLOCK_AHEAD_SECONDS");
  if (result == 0 && id == CLOCK_REALTIME && ahead) now->tv_sec += atol(ahead);
  return result;
}
