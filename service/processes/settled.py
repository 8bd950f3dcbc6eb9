"""What the programs that share a store need of the settings."""

from __future__ import annotations

from service.chat.serve import needs_token
from service.settings import BadSetting, Settings


def needs_store(settings: Settings) -> None:
    """Raises BadSetting without a token, or without a store and a key that several processes can share."""
    needs_token(settings)
    if not settings.redis_url:
        raise BadSetting("REDIS_URL", "is not set: `web` and `worker` need a store that all of them reach")
    if not settings.tabletalk_key:
        raise BadSetting("TABLETALK_KEY", "is not set: `web` and `worker` need one key that all of them have")
