"""The folded form of texts, for search: without width, case, accents, punctuation, and the difference between hiragana and katakana."""

from __future__ import annotations

import re
import unicodedata
from typing import Dict

_ACCENTS = ((0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))
_REPLACEMENTS = {
    "ß": "ss", "ẞ": "ss", "Æ": "ae", "æ": "ae", "Œ": "oe", "œ": "oe", "Ø": "o", "ø": "o", "Đ": "d", "đ": "d", "Ł": "l", "ł": "l",
    "ı": "i", "ς": "σ"}


class _Folded(Dict[str, str]):
    """The folded form of a character: empty for accents, a space for separators."""

    def __missing__(self, character: str) -> str:
        code = ord(character)
        if any(first <= code <= last for first, last in _ACCENTS):
            folded = ""
        elif unicodedata.category(character)[0] not in "LMN":
            folded = " "
        elif 0x30A1 <= code <= 0x30F6 or 0x30FD <= code <= 0x30FE:
            folded = chr(code - 0x60)  # katakana to hiragana
        else:
            folded = _REPLACEMENTS.get(character) or character.lower()
        self[character] = folded
        return folded


_FOLDED = _Folded()
_ASCII_WORD = re.compile("[a-z0-9]+")


# In code points. The decomposition takes time in proportion to the square of a run of marks, and no name is longer.
_MAXIMUM_LENGTH = 1_000


def fold(text: str) -> str:
    """The folded form of a text, for comparison. Words are letters, marks and digits; everything between becomes one space."""
    text = text[:_MAXIMUM_LENGTH]
    if text.isascii():
        return " ".join(_ASCII_WORD.findall(text.lower()))
    folded = "".join([_FOLDED[character] for character in unicodedata.normalize("NFKD", text)])
    return unicodedata.normalize("NFC", " ".join(folded.split()))
