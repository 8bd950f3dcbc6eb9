"""Projections: what is built from the feeds and can be thrown away. `registry` lists them."""
