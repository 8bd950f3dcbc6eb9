"""Settings from the environment: the same names on the command line, in a unit file and in a container."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

import msgspec
import platformdirs

Durability = Literal["local", "replicated"]
OFFICIAL_API = "https://api.telegram.org"


class BadSetting(Exception):
    """A setting that cannot be used: `name`, and what is wrong with it, never its value."""

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(f"{name}: {fault}")
        self.name = name


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator may set. Secrets (token, key, a password in the Redis URL) are never shown."""

    telegram_token: str = ""  # TELEGRAM_TOKEN: the bot's token, from @BotFather
    telegram_api_url: str = OFFICIAL_API  # TELEGRAM_API_URL: base URL of the Bot API; /bot<token>/<method> follows
    redis_url: str = ""  # REDIS_URL: empty for the embedded store
    durability: Durability = "local"  # DURABILITY: local, or replicated: every commit also on a replica
    tabletalk_data: str = ""  # TABLETALK_DATA: data folder; empty for the platform's
    port: str = ""  # PORT: where /health and /ready are answered; empty for nowhere
    webhook_url: str = ""  # WEBHOOK_URL: where Telegram posts updates, as Telegram reaches it; empty for polling
    webhook_secret: str = ""  # WEBHOOK_SECRET: what Telegram has to say when it posts
    tabletalk_key: str = ""  # TABLETALK_KEY: sealing key, 64 hexadecimal digits; empty for a file in the data folder

    def __repr__(self) -> str:
        return "Settings(...)"

    @property
    def data(self) -> Path:
        """The data folder; it need not exist yet."""
        return Path(self.tabletalk_data) if self.tabletalk_data else Path(platformdirs.user_data_dir("tabletalk"))


def load(environment: Mapping[str, str] = os.environ, *, data: Path | None = None) -> Settings:
    """The settings of an environment; `data` (from the command line) wins over TABLETALK_DATA. Raises BadSetting."""
    given = {name: environment.get(name.upper(), "").strip() for name in Settings.__struct_fields__}
    if data is not None:
        given["tabletalk_data"] = str(data)
    if given["durability"] not in ("", *get_args(Durability)):
        raise BadSetting("DURABILITY", "must be local or replicated")
    found = msgspec.convert({name: value for name, value in given.items() if value}, Settings)
    if not found.telegram_api_url.startswith(("http://", "https://")):
        raise BadSetting("TELEGRAM_API_URL", "must begin with http:// or https://")
    if found.port and not (found.port.isascii() and found.port.isdigit() and 0 < int(found.port) < 65_536):
        raise BadSetting("PORT", "must be a number from 1 to 65535")
    if found.webhook_url:
        _check_webhook(found)
    return found


def _check_webhook(found: Settings) -> None:
    local = found.telegram_api_url != OFFICIAL_API  # a Bot API server of one's own takes plain HTTP too
    if not re.fullmatch(rf"http{'s?' if local else 's'}://[^\s/?#]+/[^\s?#]+", found.webhook_url):
        raise BadSetting("WEBHOOK_URL", "must be https://<host>/<path>")
    if not re.fullmatch(r"[A-Za-z0-9_-]{16,256}", found.webhook_secret):
        raise BadSetting("WEBHOOK_SECRET", "must be 16 to 256 letters, digits, _ or - when WEBHOOK_URL is set")
    if not found.port:
        raise BadSetting("PORT", "must be set when WEBHOOK_URL is: that is where updates are received")
