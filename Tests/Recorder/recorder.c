/* Records what a process asks of its files: every write, truncation, flush, creation, renaming and
   removal below RECORD_ROOT, in order, into the file RECORD_LOG. Loaded with LD_PRELOAD by the
   trials of power loss (Tests/CrashTests/PowerLossTrials.swift), which then work out what a disk
   could hold if the power failed at some point. Writes to standard output are recorded too: they
   are the child's acknowledgements.

   A record: operation (1 byte), lengths of path and data (4 bytes each), offset (8 bytes), all in
   the machine's byte order, then path and data. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 4096
static char *paths[FILES];
static int synchronous[FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;

static const char *root(void) { return getenv("RECORD_ROOT"); }

static void put(char operation, const char *path, uint64_t offset, const void *data, uint32_t length) {
  if (journal < 0) {
    const char *log = getenv("RECORD_LOG");
    if (!log) return;
    journal = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (journal < 0) return;
  }
  uint32_t path_length = path ? (uint32_t)strlen(path) : 0;
  char head[17];
  head[0] = operation;
  memcpy(head + 1, &path_length, 4);
  memcpy(head + 5, &length, 4);
  memcpy(head + 9, &offset, 8);
  struct iovec parts[3] = {{head, 17}, {(void *)path, path_length}, {(void *)data, length}};
  syscall(SYS_writev, journal, parts, 3);
}

static const char *path_of(int fd) { return fd >= 0 && fd < FILES ? paths[fd] : NULL; }

static void opened(int fd, const char *path, int flags, int existed) {
  const char *top = root();
  if (fd < 0 || fd >= FILES || !top) return;
  char whole[PATH_MAX];
  if (!realpath(path, whole)) return;
  free(paths[fd]);
  paths[fd] = NULL;
  if (strncmp(whole, top, strlen(top))) return;
  paths[fd] = strdup(whole);
  synchronous[fd] = (flags & (O_DSYNC | O_SYNC)) != 0;
  pthread_mutex_lock(&lock);
  if (!existed) put('C', whole, 0, NULL, 0);
  if (flags & O_TRUNC) put('T', whole, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
}

static int open_any(int folder, const char *path, int flags, mode_t mode) {
  struct stat status;
  int existed = stat(path, &status) == 0;
  int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
  int kept = errno;
  if (fd >= 0) opened(fd, path, flags, existed);
  errno = kept;
  return fd;
}

#define MODE(flags) mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }
int open(const char *path, int flags, ...) { MODE(flags) return open_any(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_any(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return open_any(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return open_any(folder, path, flags, mode); }

int close(int fd) {
  if (fd >= 0 && fd < FILES && paths[fd]) { free(paths[fd]); paths[fd] = NULL; }
  return (int)syscall(SYS_close, fd);
}

static void wrote(int fd, const void *data, ssize_t count, off_t offset) {
  const char *path = path_of(fd);
  if (count <= 0 || (!path && fd != STDOUT_FILENO)) return;
  int kept = errno;
  pthread_mutex_lock(&lock);
  put(fd == STDOUT_FILENO ? 'A' : synchronous[fd] ? 'S' : 'W', path, (uint64_t)offset, data, (uint32_t)count);
  pthread_mutex_unlock(&lock);
  errno = kept;
}

ssize_t write(int fd, const void *data, size_t count) {
  off_t offset = path_of(fd) ? (off_t)syscall(SYS_lseek, fd, 0, SEEK_CUR) : 0;
  ssize_t done = syscall(SYS_write, fd, data, count);
  wrote(fd, data, done, offset);
  return done;
}

static ssize_t write_at(int fd, const void *data, size_t count, off_t offset) {
  ssize_t done = syscall(SYS_pwrite64, fd, data, count, offset);
  wrote(fd, data, done, offset);
  return done;
}
ssize_t pwrite(int fd, const void *data, size_t count, off_t offset) { return write_at(fd, data, count, offset); }
ssize_t pwrite64(int fd, const void *data, size_t count, off64_t offset) { return write_at(fd, data, count, offset); }

static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t offset) {
  ssize_t done = syscall(SYS_pwritev, fd, parts, count, (long)offset, 0L);
  ssize_t rest = done;
  for (int part = 0; part < count && rest > 0; part++) {
    ssize_t length = rest < (ssize_t)parts[part].iov_len ? rest : (ssize_t)parts[part].iov_len;
    wrote(fd, parts[part].iov_base, length, offset);
    offset += length;
    rest -= length;
  }
  return done;
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return write_parts(fd, parts, count, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return write_parts(fd, parts, count, offset); }
ssize_t writev(int fd, const struct iovec *parts, int count) {
  ssize_t done = 0;
  for (int part = 0; part < count; part++) {
    ssize_t step = write(fd, parts[part].iov_base, parts[part].iov_len);
    if (step < 0) return done ? done : step;
    done += step;
    if (step < (ssize_t)parts[part].iov_len) break;
  }
  return done;
}

static int truncated(int fd, off_t length) {
  int result = (int)syscall(SYS_ftruncate, fd, length);
  if (result == 0 && path_of(fd)) {
    pthread_mutex_lock(&lock);
    put('T', path_of(fd), (uint64_t)length, NULL, 0);
    pthread_mutex_unlock(&lock);
  }
  return result;
}
int ftruncate(int fd, off_t length) { return truncated(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncated(fd, length); }

/* The record comes after the flush: until then nothing is promised. */
static int flushed(int fd, int result) {
  if (result == 0 && path_of(fd)) {
    pthread_mutex_lock(&lock);
    put('F', path_of(fd), 0, NULL, 0);
    pthread_mutex_unlock(&lock);
  }
  return result;
}
int fsync(int fd) { return flushed(fd, (int)syscall(SYS_fsync, fd)); }
int fdatasync(int fd) { return flushed(fd, (int)syscall(SYS_fdatasync, fd)); }

static void named(char operation, const char *path, const char *other) {
  const char *top = root();
  char folder[PATH_MAX], whole[PATH_MAX];
  if (!top) return;
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  const char *leaf = slash ? slash + 1 : folder;
  char parent[PATH_MAX];
  if (slash) { *slash = 0; if (!realpath(*folder ? folder : "/", parent)) return; }
  else if (!realpath(".", parent)) return;
  if (snprintf(whole, sizeof whole, "%s/%s", parent, leaf) >= (int)sizeof whole) return;
  if (strncmp(whole, top, strlen(top))) return;
  pthread_mutex_lock(&lock);
  put(operation, whole, 0, other, other ? (uint32_t)strlen(other) : 0);
  pthread_mutex_unlock(&lock);
}

int rename(const char *old, const char *new) {
  int result = (int)syscall(SYS_rename, old, new);
  char whole[PATH_MAX];
  if (result == 0 && realpath(new, whole)) {
    named('R', old, whole);
    for (int fd = 0; fd < FILES; fd++) {
      size_t length = strlen(old);
      if (paths[fd] && !strncmp(paths[fd], old, length) && (!paths[fd][length] || paths[fd][length] == '/')) {
        char moved[PATH_MAX];
        snprintf(moved, sizeof moved, "%s%s", whole, paths[fd] + length);
        free(paths[fd]);
        paths[fd] = strdup(moved);
      }
    }
  }
  return result;
}

int unlink(const char *path) {
  int result = (int)syscall(SYS_unlink, path);
  if (result == 0) named('U', path, NULL);
  return result;
}
int rmdir(const char *path) {
  int result = (int)syscall(SYS_rmdir, path);
  if (result == 0) named('U', path, NULL);
  return result;
}
int mkdir(const char *path, mode_t mode) {
  int result = (int)syscall(SYS_mkdir, path, mode);
  if (result == 0) named('M', path, NULL);
  return result;
}
