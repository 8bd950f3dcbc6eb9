"""How long tests wait for what must come: nobody waits longer than he must, so it costs nothing where all is well."""

from __future__ import annotations

PATIENCE = 60.0
"""Seconds after which something that a test waits for counts as missing, in the test's own process."""

PROGRAM = 150.0
"""Seconds that a program of its own may take to do what it was started for, and to end; below pytest's own limit."""
