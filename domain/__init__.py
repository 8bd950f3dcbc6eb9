"""Pure rules: no I/O, no clock, no async, no logging, no randomness of its own."""
