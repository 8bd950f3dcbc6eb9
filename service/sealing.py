"""Seals what only this service may read: seeds that wait for their deal's end, and refusals (they tell of hands)."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path
from typing import Literal

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
    if not settings.tabletalk_key and not key_file(settings).exists():
        keep_key(key_file(settings), secrets.token_bytes(32))
    found = known_key(settings)
    assert found is not None, "it was just made"
    return Sealer(found)


def known_key(settings: Settings) -> bytes | None:
    """The key of the settings or of the data folder, or None when there is none yet. Raises BadSetting, OSError."""
    if settings.tabletalk_key:
        return read_key(settings.tabletalk_key, "TABLETALK_KEY")
    path = key_file(settings)
    return read_key(path.read_text("ascii", "replace"), str(path)) if path.exists() else None


def key_fault(settings: Settings, sealed_with: str | None) -> Literal["gone", "other"] | None:
    """What is wrong with the key for a store that was sealed with the key of this `check` (None: with none yet).

    Raises BadSetting, OSError.
    """
    if sealed_with is None:
        return None
    found = known_key(settings)
    if found is None:
        return "gone"
    return None if Sealer(found).check == sealed_with else "other"


def key_file(settings: Settings) -> Path:
    """Where the key is, unless TABLETALK_KEY gives it."""
    return settings.data / "seal.key"


def read_key(text: str, name: str) -> bytes:
    """The key that a setting, file or backup of this name holds. Raises BadSetting."""
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != 32:
        raise BadSetting(name, "the sealing key must be 64 hexadecimal digits")
    return key


def keep_key(path: Path, key: bytes) -> None:
    """Writes a key, whole or not at all, mode 0600; where one is already (a quicker process made it) that one stays."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(key.hex() + "\n")
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
