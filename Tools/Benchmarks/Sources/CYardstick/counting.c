// Interposes the C library's writing and flushing calls, also those of liblmdb and libsqlite3, and
// counts them between ys_count_begin and ys_count_end. At other times it costs one relaxed load per
// call.
#if defined(__linux__)
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#endif
#include "yardstick.h"

#if defined(__linux__)
static _Atomic int counting;
static _Atomic uint64_t writes, bytes, flushes, views_bytes, views_flushes;

static int in_views(int fd) {
  char link[64], path[1024];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n < 0) return 0;
  path[n] = 0;
  return strstr(path, "views") != NULL;
}

static void wrote(int fd, ssize_t count) {
  if (!atomic_load_explicit(&counting, memory_order_relaxed) || count < 0) return;
  int views = in_views(fd), flags = fcntl(fd, F_GETFL);
  writes++;
  bytes += (uint64_t)count;
  if (views) views_bytes += (uint64_t)count;
  if (flags >= 0 && (flags & O_DSYNC)) {
    flushes++;
    if (views) views_flushes++;
  }
}

static void flushed(int fd) {
  if (!atomic_load_explicit(&counting, memory_order_relaxed)) return;
  flushes++;
  if (fd >= 0 && in_views(fd)) views_flushes++;
}

ssize_t write(int fd, const void *p, size_t n) {
  ssize_t r = syscall(SYS_write, fd, p, n);
  wrote(fd, r);
  return r;
}
ssize_t pwrite64(int fd, const void *p, size_t n, off64_t at) {
  ssize_t r = syscall(SYS_pwrite64, fd, p, n, at);
  wrote(fd, r);
  return r;
}
ssize_t pwrite(int fd, const void *p, size_t n, off_t at) { return pwrite64(fd, p, n, at); }
ssize_t writev(int fd, const struct iovec *v, int n) {
  ssize_t r = syscall(SYS_writev, fd, v, n);
  wrote(fd, r);
  return r;
}
ssize_t pwritev64(int fd, const struct iovec *v, int n, off64_t at) {
  ssize_t r = syscall(SYS_pwritev, fd, v, n, at, 0);
  wrote(fd, r);
  return r;
}
ssize_t pwritev(int fd, const struct iovec *v, int n, off_t at) { return pwritev64(fd, v, n, at); }
int fsync(int fd) {
  flushed(fd);
  return (int)syscall(SYS_fsync, fd);
}
int fdatasync(int fd) {
  flushed(fd);
  return (int)syscall(SYS_fdatasync, fd);
}
int msync(void *p, size_t n, int flags) {
  flushed(-1);
  return (int)syscall(SYS_msync, p, n, flags);
}

void ys_count_begin(void) {
  writes = bytes = flushes = views_bytes = views_flushes = 0;
  counting = 1;
}
ys_counts ys_count_end(void) {
  counting = 0;
  return (ys_counts){writes, bytes, flushes, views_bytes, views_flushes};
}
#else
void ys_count_begin(void) {}
ys_counts ys_count_end(void) { return (ys_counts){0, 0, 0, 0, 0}; }
#endif
