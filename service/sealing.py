"""Seals what only this service may read: seeds that wait for their deal's end, and refusals (they tell of hands)."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from service.settings import BadSetting, Settings

_NONCE = 12  # bytes, random for each sealing


class WrongKey(Exception):
    """Something was sealed under another key than ours."""


class Sealer:
    """Authenticated encryption (AES-256-GCM) under the service's key, bound to a context that must be given again."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)
        self.check = hmac.digest(key, b"tabletalk sealing key", "sha256")[:8].hex()
        """Tells keys apart without telling anything of them."""

    def seal(self, secret: bytes, context: bytes) -> bytes:
        """`secret`, sealed: only the same key and context open it."""
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, secret, context)

    def open(self, sealed: bytes, context: bytes) -> bytes:
        """What was sealed; raises WrongKey when key or context differ, or a byte was changed."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], context)
        except (InvalidTag, ValueError):
            raise WrongKey from None


def sealer(settings: Settings) -> Sealer:
    """The service's sealer: key from TABLETALK_KEY, else from `seal.key` in the data folder, made there when missing.

    Raises BadSetting when the key cannot be read or used; OSError when the folder cannot be written.
    """
    if settings.tabletalk_key:
        return Sealer(_key(settings.tabletalk_key, "TABLETALK_KEY"))
    path = key_file(settings)
    if not path.exists():
        _make(path)
    return Sealer(_key(path.read_text("ascii", "replace"), str(path)))


def key_file(settings: Settings) -> Path:
    """Where the key is, unless TABLETALK_KEY gives it."""
    return settings.data / "seal.key"


def _key(text: str, name: str) -> bytes:
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != 32:
        raise BadSetting(name, "the sealing key must be 64 hexadecimal digits")
    return key


def _make(path: Path) -> None:
    """Writes a new key, mode 0600, so that of two processes starting at once both use the same one."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(32) + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)  # unlike a rename this does not replace the key of a quicker process
    except FileExistsError:
        path.stat()
    finally:
        draft.unlink()


def new_seed() -> bytes:
    """A seed nobody can foresee: 32 bytes."""
    return secrets.token_bytes(32)


def derived_seed(master: bytes, game: int, number: int) -> bytes:
    """Seed `number` (from 1) of game `game` (from 0) under a master seed: HMAC-SHA256(master, "game:<g>:seed:<n>")."""
    return hmac.digest(master, f"game:{game}:seed:{number}".encode(), hashlib.sha256)
