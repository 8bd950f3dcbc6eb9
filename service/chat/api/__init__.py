"""The Bot API: what comes in, what goes out, and Telegram's limits."""
