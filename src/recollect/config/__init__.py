"""Settings: read, checked and resolved into frozen values.

What enters: one JSON5 file, a workspace's own file, the environment, arguments. What leaves: `Settings`, with where
every value comes from. `surface` names every key, `walk` checks a document against it, `resolve` (pure) makes the
values; `load`, `reading`, `paths` and `keys` are the only modules that touch the disk or the environment.
"""
