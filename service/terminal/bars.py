"""A progress bar on standard error, where that is a terminal: what is piped from standard output stays clean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

Advance = Callable[[int, int], None]
"""Told how much is done, and of how much."""


@contextmanager
def bar(words: str) -> Iterator[Advance]:
    """A bar that goes away at the end."""
    out = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal, redirect_stdout=False) as shown:
        task = shown.add_task(words, total=None)
        yield lambda done, everything: shown.update(task, completed=done, total=everything)
