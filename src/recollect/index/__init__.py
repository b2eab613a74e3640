"""The write path: files become rows, in proportion to what changed."""
