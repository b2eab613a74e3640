"""Which files belong to a memory, and how they are read: nothing here writes, and nothing here knows the index.

discovery  what lies in a workspace          roots    where a memory's files may lie, and which path names which
reader     a note, read once from one buffer beneath  opening a file without ever leaving its root
lines      ranges of lines, for `get`        filestat what is remembered of a file's stat
"""
