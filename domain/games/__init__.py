"""GAMES: the registry, one line a game."""

from __future__ import annotations

from domain.game import Game
from domain.games.callbreak import CALLBREAK
from domain.games.chinchon import CHINCHON
from domain.games.chitchat import CHITCHAT
from domain.games.snitch import SNITCH
from domain.games.taichi import TAICHI

GAMES: dict[str, Game] = {
    game.slug: game
    for game in (
        CALLBREAK,
        CHINCHON,
        CHITCHAT,
        SNITCH,
        TAICHI,
    )
}
