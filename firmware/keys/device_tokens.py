"""What a browser keeps of having known a PIN: whoever brings it is not made to wait for others.

A token is 12 random bytes and a code over them and the name, made with the hash of the person's
PIN. Nothing of it is kept here: another PIN, or another hash of the same, ends all that were given
for the one before. A browser that several people use has several.
"""

import base64
import hmac
import secrets

TOKENS_MAX = 8  # in one browser; the oldest gives way
_ID_BYTES = 12
_CODE_BYTES = 18  # 144 bits: nobody tries them all
_WORD = b"cylindre device\0"
_LENGTH = (_ID_BYTES + _CODE_BYTES) * 4 // 3
LENGTH_MAX = TOKENS_MAX * (_LENGTH + 1) - 1  # characters


def found_in(tokens: str, name: str, secret: bytes) -> str | None:
    """Returns what names the device, if one of its tokens was made for `name` with `secret`; else
    None.

    `tokens`: with a point between two. Takes as long whichever it is.
    """
    found = None
    for token in _split(tokens):
        data = _decoded(token)
        given = data[_ID_BYTES:]
        if hmac.compare_digest(given, _code(data[:_ID_BYTES], name, secret)):
            found = token[: _ID_BYTES * 4 // 3]
    return found


def added(tokens: str, name: str, secret: bytes) -> str:
    """Returns the tokens of that device with one more for `name`, the newest first."""
    new_id = secrets.token_bytes(_ID_BYTES)
    token = base64.urlsafe_b64encode(new_id + _code(new_id, name, secret)).decode()
    return ".".join([token, *_split(tokens)][:TOKENS_MAX])


def _split(tokens: str) -> list[str]:
    """Returns the tokens that have the form of one."""
    found = [token for token in tokens[:LENGTH_MAX].split(".") if len(token) == _LENGTH]
    return [token for token in found if token.isascii()]


def _decoded(token: str) -> bytes:
    try:
        return base64.b64decode(token, altchars=b"-_", validate=True)
    except ValueError:
        return b""


def _code(device: bytes, name: str, secret: bytes) -> bytes:
    text = name.encode("utf-8", "surrogatepass")
    return hmac.digest(secret, _WORD + device + text, "sha256")[:_CODE_BYTES]
