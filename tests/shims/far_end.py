"""The far end of a bench at the Pi's stand-in and in the kernel alike: a pty, a watchdog."""

import os
import select
import tty as raw_tty

from firmware.shims.linux import Ports


class FarEnd:
    """What lies beyond the machine's serial port 0 and its watchdog."""

    def __init__(self, tmp_path, ioctl):
        self._far, near = os.openpty()
        raw_tty.setraw(self._far)
        path = os.ttyname(near)
        os.close(near)
        self._dog = tmp_path / "watchdog"  # the kernel's own counts nothing: see test_kernel.py
        self._dog.touch()
        self.ports = Ports({0: path}, str(self._dog), ioctl)

    def far_write(self, data):
        os.write(self._far, data)

    def far_read(self, count):
        data = b""
        while len(data) < count and select.select([self._far], [], [], 5)[0]:
            data += os.read(self._far, count - len(data))
        return data

    def unplug(self):
        os.close(self._far)
        self._far = None

    def feeds(self):
        return len(self._dog.read_bytes())

    def hang_up(self):
        if self._far is not None:
            os.close(self._far)
