"""COBS by the `cobs` package, which is made to run on MicroPython too (its pure Python half)."""

from cobs import cobs

if not hasattr(memoryview, "ndim"):  # MicroPython
    # A MicroPython memoryview has neither `ndim` nor `in`; the package wants it only to take any
    # buffer without a copy. `bytes` takes any buffer too, with a copy of one frame at most.
    from cobs.cobs import _cobs_py

    _cobs_py._get_buffer_view = bytes

encode = cobs.encode
decode = cobs.decode
DecodeError = cobs.DecodeError
