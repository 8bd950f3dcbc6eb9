"""Finding, opening and arranging tables, and looking at them."""
