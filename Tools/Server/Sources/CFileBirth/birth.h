// The time at which a file was created. In C, because Swift's Glibc doesn't have `statx`, and Foundation returns
// another time on Linux.

#pragma once
#include <stdint.h>
#if defined(__linux__)
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <sys/stat.h>
#endif

/// Nanoseconds since 1970, or 0 if the file system doesn't record the time or the file can't be found.
static inline uint64_t relay_birth_nanoseconds(const char *path) {
#if defined(__linux__)
  // `struct statx` of Linux: the mask of the present fields, and from byte 80 the time of creation.
  union {
    uint64_t words[32];
    uint32_t mask;
  } status = {{0}};
  const unsigned int birth = 0x800;
  if (syscall(SYS_statx, AT_FDCWD, path, 0, birth, &status) != 0 || !(status.mask & birth)) return 0;
  uint32_t nanoseconds = *(const uint32_t *)((const char *)&status + 88);
  return status.words[10] * 1000000000u + nanoseconds;
#else
  struct stat status;
  if (stat(path, &status) != 0) return 0;
  return (uint64_t)status.st_birthtimespec.tv_sec * 1000000000u
      + (uint64_t)status.st_birthtimespec.tv_nsec;
#endif
}
