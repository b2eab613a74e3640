"""Character classes: which characters make words, which scripts write without spaces, and how letters are folded.

Enters: characters and words. Leaves: folded text, patterns, the script of a word.
Never: reads a file, keeps state between words, or loads a table before a character beyond ASCII asks for it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal

Script = Literal["latin", "cyrillic", "greek", "arabic", "devanagari", "other"]

# Han, kana, bopomofo, Hangul and Yi: written without spaces, found by pairs of characters. The middle dot and the
# double hyphen of kana (30FB, 30A0) are punctuation.
CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c"
    "\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff\U00016fe0-\U00018cff\U0001aff0-\U0001b16f"
    "\U00020000-\U0003fffd"
)
KANA = "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001aff0-\U0001b16f"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"

# Thai, Lao, Myanmar, Khmer and the Tai scripts: no spaces either, but a syllable is several characters.
DENSE = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17d7\u17dc\u17dd"
    "\u1950-\u19c9\u1a20-\u1a7f\ua9e0-\ua9fe\uaa60-\uaa7f\uaa80-\uaac2\uaadb\uaadc"
)

# Signs that people search for: dingbats, symbols, emoji without the skin tones.
EMOJI = "\u231a\u231b\u23e9-\u23f3\u2600-\u27bf\u2b50\u2b55\U0001f300-\U0001f3fa\U0001f400-\U0001faff"

# Combining marks (categories Mn, Mc, Me), as ranges that may run on over letters, digits and unassigned places.
_MARK_RANGES = """
300-36f 483-489 591-5bd 5bf 5c1-5c2 5c4-5c5 5c7 610-61a 64b-65f 670 6d6-6dc 6df-6e8 6ea-6ed 711-7f3 7fd 816-82d 859-85b
898-8e1 8e3-963 981-9e3 9fe-a75 a81-ae3 afa-b63 b82-bd7 c00-c63 c81-c83 cbc-d4d d57-d63 d81-df3 e31-e3a e47-e4e eb1-ecd
f18-f19 f35 f37 f39 f3e-f84 f86-fbc fc6 102b-103e 1056-109d 135d-135f 1712-1734 1752-17d3 17dd 180b-180d 180f-193b
1a17-1a1b 1a55-1a7f 1ab0-1b44 1b6b-1b73 1b80-1bf3 1c24-1c37 1cd0-1cd2 1cd4-1dff 20d0-20f0 2cef-2cf1 2d7f-2dff 302a-302f
3099-309a a66f-a672 a674-a67d a69e-a6f1 a802-a827 a82c a880-a8c5 a8e0-a8f1 a8ff-a92d a947-a953 a980-a9c0 a9e5-aa4d
aa7b-aac1 aaeb-aaef aaf5-aaf6 abe3-abea abec-abed fb1e fe00-fe0f fe20-fe2f 101fd-1037a 10a01-10a3f 10ae5-10ae6
10d24-10eac 10f46-10f50 10f82-10f85 11000-11046 11070-110ba 110c2 11100-11134 11145-11173 11180-111c0 111c9-111cc
111ce-111cf 1122c-11237 1123e-11241 112df-11446 1145e-114c3 115af-115c0 115dc-11640 116ab-116b7 1171d-1172b 1182c-1183a
11930-11943 119d1-119e0 119e4-11a3e 11a47-11a99 11c2f-11c3f 11c92-11ef6 16af0-16af4 16b30-16b36 16f4f-16f92 16fe4-16ff1
1bc9d-1bc9e 1cf00-1cf46 1d165-1d169 1d16d-1d172 1d17b-1d182 1d185-1d18b 1d1aa-1d1ad 1d242-1d244 1da00-1da36 1da3b-1da6c
1da75 1da84 1da9b-1e136 1e2ae-1e2ef 1e8d0-1e94a
"""

_LATIN_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_HEBREW_ARABIC_MARKS = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
)

# Letters that carry a stroke or join two: no decomposition says what they are without it.
_PLAIN_LETTERS = str.maketrans(
    {
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "ł": "l",
        "ħ": "h",
        "ŧ": "t",
        "\u0131": "i",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
        "\u0451": "\u0435",
    }
)

# Signs that are not seen: soft hyphen, joiners, direction marks, variation selectors, and signs inside Hebrew words.
_UNSEEN = (
    "\u00ad\u034f\u05f3\u05f4\u061c\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef"
)
_APOSTROPHES = "\u2018\u2019\u02bc"
_HYPHENS = "\u2010\u2011\u2212"

_LONGEST_MARKS = 30  # in a row; more are no writing, and sorting them would take quadratic time
_SHORT = 64  # characters: so few need no such guard


def mark_class() -> str:
    """The combining marks, as the inside of a character class."""
    ranges = (entry.split("-") for entry in _MARK_RANGES.split())
    return "".join(f"{chr(int(r[0], 16))}-{chr(int(r[-1], 16))}" for r in ranges)


@cache
def _mark_run() -> re.Pattern[str]:
    return re.compile(f"[{mark_class()}]{{{_LONGEST_MARKS + 1},}}+")


@cache
def _special() -> re.Pattern[str]:
    return re.compile(f"[{_UNSEEN}{_APOSTROPHES}{_HYPHENS}]|[^\\D0-9]")


def _plain(match: re.Match[str]) -> str:
    char = match[0]
    if char in _APOSTROPHES:
        return "'"
    if char in _HYPHENS:
        return "-"
    return str(unicodedata.decimal(char)) if char.isdecimal() else ""


def normalise(text: str) -> str:
    """One spelling for what looks the same: NFKC, ASCII digits, one apostrophe, one hyphen, nothing unseen."""
    if text.isascii():
        return text
    if len(text) > _SHORT:
        text = _mark_run().sub(lambda match: match[0][:_LONGEST_MARKS], text)
    return unicodedata.normalize("NFKC", _special().sub(_plain, text))


def script_of(word: str) -> Script:
    """The script of a word, told by its first letter beyond ASCII; Latin when there is none."""
    if word.isascii():
        return "latin"
    code = next(ord(char) for char in word if char > "\x7f")
    if code < 0x0370 or 0x1E00 <= code < 0x1F00 or 0xA720 <= code < 0xA800 or 0x2C60 <= code < 0x2C80:  # noqa: PLR2004 -- code points
        return "latin"
    if code < 0x0400 or 0x1F00 <= code < 0x2000:  # noqa: PLR2004 -- code points
        return "greek"
    if code < 0x0530 or 0x1C80 <= code < 0x1C90 or 0x2DE0 <= code < 0x2E00 or 0xA640 <= code < 0xA6A0:  # noqa: PLR2004 -- code points
        return "cyrillic"
    if 0x0600 <= code < 0x0700 or 0x0750 <= code < 0x0780:  # noqa: PLR2004 -- code points
        return "arabic"
    return "devanagari" if 0x0900 <= code < 0x0980 else "other"  # noqa: PLR2004 -- code points


@cache
def _latin_marks() -> re.Pattern[str]:
    return re.compile(f"[{_LATIN_MARKS}]+")


@cache
def _semitic_marks() -> re.Pattern[str]:
    return re.compile(f"[{_HEBREW_ARABIC_MARKS}]+")


def fold(word: str) -> str:
    """A normalised word without case and, where they are no letters of their own, without marks.

    The marks of Latin and Greek go, and the points of Hebrew and Arabic; short i stays a letter, yo becomes ye as it
    is mostly written; the vowel signs of Indic scripts are part of the word and stay.
    """
    if word.isascii():
        return word.lower()
    low = word.casefold()
    script = script_of(low)
    if script == "cyrillic":
        return _latin_marks().sub("", unicodedata.normalize("NFKC", low)).translate(_PLAIN_LETTERS)
    if script in ("latin", "greek"):
        return _latin_marks().sub("", unicodedata.normalize("NFD", low)).translate(_PLAIN_LETTERS)
    return unicodedata.normalize("NFKC", _semitic_marks().sub("", unicodedata.normalize("NFKC", low)))


@cache
def _cjk_character() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]")


def is_cjk(char: str) -> bool:
    """Whether a character is written without spaces and found by pairs: Han, kana, Hangul and their like."""
    return char >= "\u1100" and _cjk_character().match(char) is not None


def clusters(run: str) -> list[str]:
    """The characters of a run as a reader sees them: each with the marks that stand on it."""
    seen: list[str] = []
    for char in run:
        if seen and unicodedata.category(char)[0] == "M":
            seen[-1] += char
        else:
            seen.append(char)
    return seen
