"""Engines: what stands behind a memory. `builtin` is our own index."""
