"""What `rebuild` says."""

from __future__ import annotations

from collections.abc import Sequence

from service.text import Texts
from service.text.people import plain

_LONGEST = 120


def progress(texts: Texts) -> str:
    """Beside the bar."""
    return texts.gettext("Tables")


def read(texts: Texts, tables: int, commits: int) -> str:
    """How much was verified and folded."""
    some = texts.ngettext("{n} table", "{n} tables", tables).format(n=tables)
    many = texts.ngettext("{n} commit", "{n} commits", commits).format(n=commits)
    return texts.gettext("Read: {tables}, {commits} verified and folded").format(tables=some, commits=many)


def parked(texts: Texts, name: str) -> str:
    """A table that cannot be read to its end."""
    return texts.gettext(
        "{table}: parked, for it cannot be read to its end here (tabletalk store check and audit say why)"
    ).format(table=plain(name, _LONGEST))


def rebuilt(texts: Texts, name: str, keys: int, differed: int | None) -> str:
    """A projection that was built anew."""
    if differed is None:
        said = texts.ngettext("built, {n} key", "built, {n} keys", keys).format(n=keys)
    elif differed == 0:
        said = texts.ngettext("equal to the one before, {n} key", "equal to the one before, {n} keys", keys).format(
            n=keys
        )
    else:
        said = texts.ngettext(
            "{n} key was wrong and is right now", "{n} keys were wrong and are right now", differed
        ).format(n=differed)
    return f"{name}: {said}"


def not_rebuilt(texts: Texts, code: str) -> str:
    """Why a rebuild ended early; what it left is cleared away by the next one."""
    match code:
        case "overtaken":
            return texts.gettext("another rebuild has begun meanwhile: this one stops")
        case "killed":
            return texts.gettext("a process that read the histories was killed (is the memory full?): rebuild again")
        case _:
            raise AssertionError(code)


def no_such_projection(texts: Texts, name: str, names: Sequence[str]) -> str:
    """A name that is no projection's."""
    return texts.gettext("there is no projection “{name}”: there are {names}").format(
        name=plain(name, _LONGEST), names=", ".join(names)
    )


def nothing(texts: Texts, data: str) -> str:
    """No store to rebuild from."""
    return texts.gettext("there is no store in the data folder {path}").format(path=plain(data, _LONGEST))
