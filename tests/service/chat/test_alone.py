from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from service.chat.api.alone import alone


async def test_whoever_comes_second_waits_until_the_first_is_gone(tmp_path: Path) -> None:
    order: list[str] = []

    async def second() -> None:
        async with alone(tmp_path / "data"):
            order.append("second")

    async with alone(tmp_path / "data"):
        waiting = asyncio.create_task(second())
        await asyncio.sleep(0)
        order.append("first")
    await waiting
    assert order == ["first", "second"]


async def test_whoever_waits_can_be_told_to_stop(tmp_path: Path) -> None:
    async with alone(tmp_path):
        waiting = asyncio.create_task(alone(tmp_path).__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting


async def test_a_folder_that_cannot_be_written_to_is_not_locked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    async with alone(tmp_path / "file"), alone(tmp_path / "file"):
        pass
    assert (tmp_path / "file").is_file()
