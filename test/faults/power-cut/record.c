/*
 * Records what a process does to the files of one folder, in the order in which it does it. Preloaded:
 *
 * RECORD_FOLDER=/path RECORD_LOG=/file LD_PRELOAD=record.so PROGRAM
 *
 * The log is a sequence of records, each followed by `length` bytes for `O` (the path) and `W` (what was
 * written). A record is appended once its call has succeeded, before another call of any thread begins.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 65536 };

struct record {
  uint32_t kind;   /* O open, W write, T truncate, S sync, U unlink */
  uint32_t is_new; /* of an opened file */
  uint64_t file;   /* inode */
  uint64_t ns;     /* CLOCK_MONOTONIC before the call */
  uint64_t offset; /* of a write, or the new size of a file */
  uint64_t length;
};

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static uint64_t inodes[MOST_FILES]; /* of open files that are recorded, by descriptor */
static const char *folder;
static int log_fd = -1;

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static ssize_t real_write(int fd, const void *data, size_t length) {
  REAL(ssize_t, "write", int, const void *, size_t);
  return real(fd, data, length);
}

static void append(struct record record, const void *data) {
  struct iovec parts[] = {{&record, sizeof record}, {(void *)data, record.length}};
  if (writev(log_fd, parts, record.length > 0 ? 2 : 1) < (ssize_t)sizeof record) abort();
}

static uint64_t inode_of(int fd) { return fd >= 0 && fd < MOST_FILES ? inodes[fd] : 0; }

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("RECORD_LOG");
  folder = getenv("RECORD_FOLDER");
  if (path && folder) log_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_watched(const char *path) {
  size_t length = folder ? strlen(folder) : 0;
  return log_fd >= 0 && strncmp(path, folder, length) == 0 &&
         (path[length] == '/' || path[length] == 0);
}

static int opened(const char *path, int flags, mode_t mode, int (*real)(const char *, int, ...)) {
  if (!is_watched(path)) return real(path, flags, mode);
  pthread_mutex_lock(&order);
  int is_new = (flags & O_CREAT) && access(path, F_OK) != 0;
  uint64_t ns = now();
  int fd = real(path, flags, mode);
  struct stat stat;
  if (fd >= 0 && fd < MOST_FILES && fstat(fd, &stat) == 0) {
    inodes[fd] = stat.st_ino;
    append((struct record){'O', (uint32_t)is_new, stat.st_ino, ns, 0, strlen(path)}, path);
    if (flags & O_TRUNC) append((struct record){'T', 0, stat.st_ino, ns, 0, 0}, NULL);
  }
  pthread_mutex_unlock(&order);
  return fd;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    static int (*real)(const char *, int, ...); \
    if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more); \
    return opened(path, flags, mode, real); \
  }

OPEN(open)
OPEN(open64)

int close(int fd) {
  REAL(int, "close", int);
  if (inode_of(fd)) inodes[fd] = 0;
  return real(fd);
}

ssize_t write(int fd, const void *data, size_t length) {
  uint64_t file = inode_of(fd);
  if (!file) return real_write(fd, data, length);
  pthread_mutex_lock(&order);
  uint64_t ns = now();
  ssize_t done = real_write(fd, data, length);
  if (done > 0) {
    uint64_t offset = (uint64_t)lseek(fd, 0, SEEK_CUR) - (uint64_t)done;
    append((struct record){'W', 0, file, ns, offset, (uint64_t)done}, data);
  }
  pthread_mutex_unlock(&order);
  return done;
}

#define PWRITE(name, type) \
  ssize_t name(int fd, const void *data, size_t length, type offset) { \
    REAL(ssize_t, #name, int, const void *, size_t, type); \
    uint64_t file = inode_of(fd); \
    if (!file) return real(fd, data, length, offset); \
    pthread_mutex_lock(&order); \
    uint64_t ns = now(); \
    ssize_t done = real(fd, data, length, offset); \
    if (done > 0) append((struct record){'W', 0, file, ns, (uint64_t)offset, (uint64_t)done}, data); \
    pthread_mutex_unlock(&order); \
    return done; \
  }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/* A call that succeeds with 0 and is recorded without data. */
#define RECORDED(kind, file, size, call) \
  pthread_mutex_lock(&order); \
  uint64_t ns = now(); \
  int failed = call; \
  if (!failed) append((struct record){kind, 0, file, ns, (uint64_t)(size), 0}, NULL); \
  pthread_mutex_unlock(&order); \
  return failed

#define TRUNCATE(name, type) \
  int name(int fd, type size) { \
    REAL(int, #name, int, type); \
    uint64_t file = inode_of(fd); \
    if (!file) return real(fd, size); \
    RECORDED('T', file, size, real(fd, size)); \
  }

TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
  int name(int fd) { \
    REAL(int, #name, int); \
    uint64_t file = inode_of(fd); \
    if (!file) return real(fd); \
    RECORDED('S', file, 0, real(fd)); \
  }

SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  struct stat found;
  if (!is_watched(path) || stat(path, &found) != 0) return real(path);
  RECORDED('U', found.st_ino, 0, real(path));
}
