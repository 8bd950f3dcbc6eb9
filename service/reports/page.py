"""Accounts as one self-contained page: no script, no picture, nothing from elsewhere; what people wrote is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from service.reports.account import Account, SetAccount
from service.text import Texts, accounts, moments

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: .3rem .5rem; text-align: left; vertical-align: top; }
code { overflow-wrap: anywhere; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
.right, .unjudged, .wrong { padding: .6rem .8rem; border-left: .4rem solid; }
.right { border-color: #2e7d32; }
.unjudged { border-color: #f9a825; }
.wrong { border-color: #c62828; }
tr.wrong { border: 0; outline: 2px solid #c62828; }
.wide { overflow-x: auto; }
"""
_MARKS = {"right": "✔", "unjudged": "?", "wrong": "✘"}


def page(texts: Texts, found: Sequence[Account], known: Mapping[str, str]) -> str:
    """The page of some accounts; `known` maps actors to names."""
    title = escape(texts.gettext("Audit"))
    body = "\n".join(part for account in found for part in _account(texts, account, known))
    return (
        f'<!doctype html>\n<html lang="{escape(texts.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{_contents(texts, found)}"
        f"{body}\n</body>\n</html>\n"
    )


def _contents(texts: Texts, found: Sequence[Account]) -> str:
    if len(found) < 2:
        return ""
    rows = "".join(
        f'<li><a href="#t{index}">{_MARKS[account.verdict]} {escape(accounts.title(texts, account))}</a></li>'
        for index, account in enumerate(found)
    )
    return f"<ul>{rows}</ul>\n"


def _account(texts: Texts, account: Account, known: Mapping[str, str]) -> Iterator[str]:
    called = accounts.names(texts, account, known)
    said = f"{_MARKS[account.verdict]} {accounts.verdict(texts, account)}"
    yield f"<section>\n<h2>{escape(accounts.game(texts, account))} · {escape(accounts.title(texts, account))}</h2>"
    yield f'<p class="{account.verdict}">{escape(said)}</p>'
    yield from (f"<p>{escape(line)}</p>" for line in accounts.notes(texts, account))
    span = f"{moments.stamp(account.began)} – {moments.stamp(account.last)}"
    yield f"<p>{escape(span)}<br>{escape(texts.gettext('Fingerprint'))}: <code>{escape(account.fingerprint)}</code></p>"
    if called:
        seats = "".join(f"<li>{escape(name)}</li>" for name in called)
        yield f'<p>{escape(texts.gettext("Seats"))}:</p>\n<ol start="0">{seats}</ol>'
    yield _list(accounts.before_the_sets(texts, account, known))
    if account.sets:
        heads = (texts.gettext("Set"), texts.gettext("Deal"), texts.gettext("Moves"), texts.gettext("What else"))
        yield '<div class="wide"><table>\n<tr>' + "".join(f"<th>{escape(head)}</th>" for head in heads) + "</tr>"
        yield from (_set(texts, account, one, called, known) for one in account.sets)
        yield "</table></div>"
    yield "</section>"


def _set(texts: Texts, account: Account, one: SetAccount, called: Sequence[str], known: Mapping[str, str]) -> str:
    bad = one.moves_are == "wrong" or one.deal_is == "wrong"
    version = texts.gettext("version {number}").format(number=one.version)
    deal = [
        escape(texts.gettext(accounts.DEALS[one.deal_is])),
        f"SHA-256: <code>{escape(one.commitment)}</code>",
    ]
    if one.seed is not None:
        revealed = texts.gettext("seed (version {number})").format(number=one.revealed)
        deal.append(f"{escape(revealed)}: <code>{escape(one.seed)}</code>")
    moved = texts.ngettext("{n} move", "{n} moves", one.moves).format(n=one.moves)
    moves = [f"{moved}, {texts.gettext(accounts.MOVES[one.moves_are])}", accounts.outcome(texts, account, one)]
    cells = (
        f"{one.set}<br>{escape(version)}",
        "<br>".join(deal),
        "<br>".join(escape(line) for line in moves if line),
        _list(accounts.below_set(texts, account, one, called, known)),
    )
    head = '<tr class="wrong">' if bad else "<tr>"
    return head + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _list(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>" if lines else ""
