"""Settings from the environment, and that they never show a secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.settings import OFFICIAL_API, BadSetting, load


def test_an_empty_environment_gives_the_official_api_and_the_platforms_folder() -> None:
    settings = load({})
    assert settings.telegram_api_url == OFFICIAL_API
    assert settings.data.name == "tabletalk"
    assert settings.redis_url == ""


def test_every_setting_is_read_from_a_variable_of_its_name() -> None:
    environment = {
        "TELEGRAM_TOKEN": " 1:a ",
        "TELEGRAM_API_URL": "http://127.0.0.1:1",
        "REDIS_URL": "redis://x",
        "TABLETALK_DATA": "/somewhere",
        "TABLETALK_KEY": "00" * 32,
    }
    settings = load(environment)
    assert settings.telegram_token == "1:a"
    assert settings.telegram_api_url == "http://127.0.0.1:1"
    assert settings.redis_url == "redis://x"
    assert settings.data == Path("/somewhere")
    assert settings.tabletalk_key == "00" * 32


def test_the_folder_of_the_command_line_wins_over_the_environment() -> None:
    assert load({"TABLETALK_DATA": "/a"}, data=Path("/b")).data == Path("/b")


def test_a_url_that_is_none_is_refused_by_name_and_not_repeated() -> None:
    with pytest.raises(BadSetting, match="TELEGRAM_API_URL") as caught:
        load({"TELEGRAM_API_URL": "ftp://secret"})
    assert "secret" not in str(caught.value)


def test_settings_do_not_show_what_they_hold() -> None:
    settings = load({"TELEGRAM_TOKEN": "1:secret", "TABLETALK_KEY": "secret", "REDIS_URL": "redis://:secret@x"})
    assert "secret" not in f"{settings!r} {settings}"
