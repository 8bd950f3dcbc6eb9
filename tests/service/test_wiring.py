"""Opening a deployment: what is wrong is said clearly before anything is played."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from eventstore.store import StoreDown, StoreUnfit
from service.settings import Settings
from service.wiring import open_service


async def test_the_same_folder_opens_again_with_what_it_held(tmp_path: Path) -> None:
    settings = Settings(tabletalk_data=str(tmp_path))
    async with open_service(settings) as first:
        home = await first.directory.home("local:ann")
    async with open_service(settings) as second:
        assert await second.directory.home("local:ann") == home
        assert second.store.deployment == first.store.deployment


async def test_a_store_that_was_sealed_with_another_key_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    async with open_service(Settings(tabletalk_data=str(tmp_path))):
        pass
    with pytest.raises(StoreUnfit, match="another key"):
        async with open_service(Settings(tabletalk_data=str(tmp_path), tabletalk_key="11" * 32)):
            pass


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnfit, match="cannot use the data folder"):
        async with open_service(Settings(tabletalk_data=str(tmp_path / "file" / "data"))):
            pass


async def test_a_lost_key_is_asked_for_and_not_replaced(tmp_path: Path) -> None:
    async with open_service(Settings(tabletalk_data=str(tmp_path))):
        pass
    kept = (tmp_path / "seal.key").rename(tmp_path / "kept")
    with pytest.raises(StoreUnfit, match="the sealing key is gone"):
        async with open_service(Settings(tabletalk_data=str(tmp_path))):
            pass
    assert not (tmp_path / "seal.key").exists()
    kept.rename(tmp_path / "seal.key")
    async with open_service(Settings(tabletalk_data=str(tmp_path))):
        pass


@contextmanager
def unprivileged() -> Iterator[None]:
    """Somebody whom the folder's mode binds; it does not bind root."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


async def test_a_folder_without_write_permission_is_named_and_nothing_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o500)
    with unprivileged(), pytest.raises(StoreUnfit, match=r"cannot use the data folder .*: Permission denied"):
        async with open_service(Settings(tabletalk_data=str(folder))):
            pass
    assert list(folder.iterdir()) == []


async def test_a_store_that_is_down_is_raised_or_waited_for_and_said_once(tmp_path: Path) -> None:
    settings = Settings(tabletalk_data=str(tmp_path), redis_url="redis://:secret@127.0.0.1:1")
    with pytest.raises(StoreDown) as caught:
        async with open_service(settings):
            pass
    assert "secret" not in str(caught.value)
