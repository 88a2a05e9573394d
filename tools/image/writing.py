"""Writes an image's mapped ranges to a disk, and reads them back from it.

The first range, with the partition table, comes last, its place is wiped first: from a disk that
was torn off in the middle nothing starts. Reads and writes bypass the page cache (O_DIRECT), and
what a disk itself has not yet written is flushed before and after all but the first range.
"""

from __future__ import annotations

import errno
import hashlib
import mmap
import os
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from fcntl import ioctl
from functools import partial
from pathlib import Path

from firmware.lib.errors import FAILED, USAGE, Failure, cause
from firmware.lib.language import Message
from firmware.lib.named_file import open_file
from tools.image.blockmap import BlockMap, Range

CHUNK = 4 << 20
_BLKRRPART = 0x125F  # linux/fs.h: read the partition table again

Progress = Callable[[int], None]  # bytes more that are done
_HALF = Message("What is on it is half written and starts nothing: flash it again.")
_UNREAD = Message("It is written, but could not be read back: flash it again.")


@contextmanager
def opened(disk: Path) -> Iterator[int]:
    """The disk, for us alone. Raises Failure if it may not be written or somebody has it."""
    try:
        handle = os.open(disk, os.O_RDWR | os.O_EXCL | os.O_DIRECT | os.O_CLOEXEC)
    except PermissionError:
        raise Failure(
            FAILED, Message("You may not write {disk}: run it with sudo.", disk=disk)
        ) from None
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise Failure(
                USAGE, Message("{disk} is in use by another program: end that first.", disk=disk)
            ) from None
        raise Failure(
            FAILED, Message("{disk} cannot be opened: {cause}.", disk=disk, cause=cause(error))
        ) from None
    try:
        yield handle
    finally:
        os.close(handle)


def write(handle: int, image: Path, found: BlockMap, progress: Progress) -> None:
    """Writes and syncs every range. Raises Failure if image and map differ, or the disk fails."""
    first, rest = found.ranges[0], found.ranges[1:]
    with open_file(image) as source, ThreadPoolExecutor(1) as pool:
        zeros = memoryview(mmap.mmap(-1, CHUNK))[: min(first.size, CHUNK)]
        _on_disk(handle, partial(_put, handle, zeros, first.offset))
        _on_disk(handle, partial(os.fsync, handle))  # a drive's own memory keeps no order
        chunks = _read_image(source.fileno(), (*rest, first))
        # The next chunk is read and hashed while one is being written.
        coming = pool.submit(next, chunks, None)
        while (chunk := coming.result()) is not None:
            coming = pool.submit(next, chunks, None)
            buffer, at = chunk
            if at == first.offset:
                _on_disk(handle, partial(os.fsync, handle))
            _on_disk(handle, partial(_put, handle, buffer, at))
            progress(len(buffer))
    _on_disk(handle, partial(os.fsync, handle))


def verify(handle: int, found: BlockMap, progress: Progress) -> None:
    """Reads every range back from the disk. Raises Failure at the first that is not the image's."""
    memory = [memoryview(mmap.mmap(-1, CHUNK)) for _ in range(2)]  # one is read, one is hashed
    with ThreadPoolExecutor(1) as pool:
        for each in found.ranges:
            digest = hashlib.sha256()
            hashed: Future[None] | None = None
            for number, (at, size) in enumerate(_chunks(each)):
                buffer = memory[number % 2][:size]
                _on_disk(handle, partial(_get, handle, buffer, at), then=_UNREAD)
                if hashed is not None:
                    hashed.result()
                hashed = pool.submit(digest.update, buffer)
                progress(size)
            if hashed is not None:
                hashed.result()
            if digest.hexdigest() != each.sha256:
                raise Failure(
                    FAILED,
                    Message(
                        "The disk does not give back what was written, at {offset} MiB: throw it"
                        " away and take another.",
                        offset=each.offset >> 20,
                    ),
                )


def tell_kernel(handle: int) -> None:
    """Has the kernel read the new partition table; a disk that cannot is read when plugged in."""
    with suppress(OSError):
        ioctl(handle, _BLKRRPART)


def _read_image(
    source: int, ranges: tuple[Range, ...]
) -> Generator[tuple[memoryview, int], None, None]:
    """Each chunk and its place. One is good until the next but one is asked for.

    A range's last chunk comes only when its hash is right; else Failure is raised.
    """
    memory = [memoryview(mmap.mmap(-1, CHUNK)) for _ in range(2)]  # O_DIRECT wants it aligned
    for each in ranges:
        digest = hashlib.sha256()
        for at, size in _chunks(each):
            memory.reverse()
            buffer = memory[0][:size]
            try:
                count = _get_some(source, buffer, at)
            except OSError as error:
                raise Failure(
                    FAILED,
                    Message(
                        "The image cannot be read at {at} MiB ({cause}): copy it to this machine"
                        " first. {half}",
                        at=at >> 20,
                        cause=cause(error),
                        half=_HALF,
                    ),
                ) from None
            if count < size:
                raise Failure(
                    FAILED, Message("The image ends before its block map does. {half}", half=_HALF)
                )
            digest.update(buffer)
            last = at + size == each.offset + each.size
            if last and digest.hexdigest() != each.sha256:
                raise Failure(
                    FAILED,
                    Message(
                        "The image is damaged at {offset} MiB: copy it again from its source."
                        " {half}",
                        offset=each.offset >> 20,
                        half=_HALF,
                    ),
                )
            yield buffer, at


def _chunks(each: Range) -> Iterator[tuple[int, int]]:
    for at in range(each.offset, each.offset + each.size, CHUNK):
        yield at, min(CHUNK, each.offset + each.size - at)


def _put(handle: int, data: memoryview, offset: int) -> None:
    done = 0
    while done < len(data):
        done += os.pwrite(handle, data[done:], offset + done)


def _get(handle: int, buffer: memoryview, offset: int) -> None:
    if _get_some(handle, buffer, offset) < len(buffer):
        raise OSError(errno.EIO, Message("ends too early"))


def _get_some(handle: int, buffer: memoryview, offset: int) -> int:
    done = 0
    while done < len(buffer):
        count = os.preadv(handle, [buffer[done:]], offset + done)
        if count == 0:
            break
        done += count
    return done


def _on_disk(handle: int, do: Callable[[], None], then: str = _HALF) -> None:
    try:
        do()
    except OSError as error:
        text = {
            errno.ENOSPC: Message("The disk is full before the image ends"),
            errno.EFBIG: Message("The disk is full before the image ends"),
            errno.ENXIO: Message("The disk was unplugged"),
            errno.ENODEV: Message("The disk was unplugged"),
            errno.ENOMEDIUM: Message("The card was taken out"),
        }.get(
            error.errno or 0,
            Message("The disk fails, or was unplugged ({cause})", cause=cause(error)),
        )
        if _is_gone(handle):
            text = Message("The disk was unplugged")
        raise Failure(FAILED, f"{text}. {then}") from None


def _is_gone(handle: int) -> bool:
    """Linux gives a disk that was unplugged no bytes at all, and calls it full when written."""
    try:
        return os.lseek(handle, 0, os.SEEK_END) == 0
    except OSError:
        return True
