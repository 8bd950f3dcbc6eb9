"""Fixtures that every test may use."""

import signal

from hypothesis import HealthCheck, settings

import service.chat  # noqa: F401 - it says how the client counts seconds, which must not depend on a test's order

pytest_plugins = ["tests.bot_api", "tests.ports"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # we run in a shell's background, and programs would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes is the machine's business, which may be busy: no test fails for that.
settings.register_profile("tabletalk", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tabletalk")
