"""The version of everything that turns a note's text into rows of the index.

Raise it whenever chunks, units, heading paths or analysed words of the same text come out differently: it is part of
the index identity, so an index that was made with another version is made anew instead of mixing two.
"""

from __future__ import annotations

TEXT_VERSION = 1
