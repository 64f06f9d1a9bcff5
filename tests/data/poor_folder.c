/* Takes file locks (LACKS has "l") or shared memory (LACKS has "m") from the files in FOLDER. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int lacks(int fd, char what) {
    const char *all = getenv("LACKS"), *folder = getenv("FOLDER");
    char link[64], path[4096];
    if (fd < 0 || !all || !folder || !strchr(all, what)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

#define FCNTL(NAME) \
    int NAME(int fd, int command, ...) { \
        va_list rest; \
        va_start(rest, command); \
        void *argument = va_arg(rest, void *); \
        va_end(rest); \
        int (*next)(int, int, ...) = dlsym(RTLD_NEXT, #NAME); \
        if ((command == F_SETLK || command == F_SETLKW) && lacks(fd, 'l')) { \
            errno = ENOLCK; \
            return -1; \
        } \
        return next(fd, command, argument); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

#define MMAP(NAME) \
    void *NAME(void *at, size_t size, int access, int flags, int fd, off_t offset) { \
        void *(*next)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, #NAME); \
        if ((flags & MAP_SHARED) && lacks(fd, 'm')) { \
            errno = ENODEV; \
            return MAP_FAILED; \
        } \
        return next(at, size, access, flags, fd, offset); \
    }
MMAP(mmap)
MMAP(mmap64)
