/* Put under a program with LD_PRELOAD: a flush takes a millisecond at least, as
 * on a disk that does a thousand of them a second. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/prctl.h>
#include <time.h>

typedef int (*flush)(int);

static int slowed(const char *name, int file) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  int result = ((flush)dlsym(RTLD_NEXT, name))(file);
  end.tv_nsec += 1000000;
  if (end.tv_nsec >= 1000000000) {
    end.tv_sec += 1;
    end.tv_nsec -= 1000000000;
  }
  /* Sleeps end up to 50 microseconds late otherwise. */
  prctl(PR_SET_TIMERSLACK, 1);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, 0)) {
  }
  return result;
}

int fsync(int file) { return slowed("fsync", file); }
int fdatasync(int file) { return slowed("fdatasync", file); }
