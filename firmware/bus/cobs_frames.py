"""COBS: by the `cobs` package; on MicroPython, which cannot run it, by our own few lines."""

try:
    from cobs.cobs import DecodeError, decode, encode
except ImportError:  # MicroPython
    from firmware.bus.cobs_small import DecodeError, decode, encode

__all__ = ["DecodeError", "decode", "encode"]
