/* Cuts the power of a machine of the rig in the middle of a write to its card: LD_PRELOAD of the
 * kernel, which writes with pwrite64. Counts the writes from when the file CUT_BEGUN is there into the
 * file CUT_COUNT; of write number CUT_AT half its sectors arrive, and then nobody writes any more. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR 512

static ssize_t (*write_at)(int, const void *, size_t, off64_t);
static struct stat card;
static long cut_at, count;
static int counter;

__attribute__((constructor)) static void prepare(void)
{
    write_at = dlsym(RTLD_NEXT, "pwrite64");
    cut_at = atol(getenv("CUT_AT"));
    if (stat(getenv("CUT_CARD"), &card))
        abort();
    counter = open(getenv("CUT_COUNT"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at)
{
    struct stat here;

    if (fstat(file, &here) || here.st_ino != card.st_ino || here.st_dev != card.st_dev
        || access(getenv("CUT_BEGUN"), F_OK))
        return write_at(file, data, size, at);
    if (++count == cut_at) {
        write_at(file, data, size / 2 / SECTOR * SECTOR, at);
        kill(0, SIGKILL); /* the kernel and all it runs are one process group */
    }
    write_at(counter, &count, sizeof count, 0);
    return write_at(file, data, size, at);
}
