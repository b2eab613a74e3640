"""The command `recollect`: a person's and a script's door to the memory.

In come arguments; out go text or JSON, warnings, and an exit status: 0 done, 1 failed, 2 wrong use or settings.
It speaks to `recollect.memory` alone, and never shows a traceback. `main` answers `--help` by itself and hands all
else to `app`; a command's file is imported when the command is used.
"""
