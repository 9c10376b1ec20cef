"""Words for the same thing in English and Japanese: what people type finds places that use another word of the group."""

from __future__ import annotations

from importlib import resources
from typing import Callable, FrozenSet, List

from .folded_text import fold

_FILE = resources.files(__package__).joinpath("synonyms.txt")
#: A line that begins with “>” has words for a whole group of categories, and one with “?” has words that stand for the group if nothing
#: else is found.
_LINES = [line.split("|") for line in _FILE.read_text(encoding="utf-8").splitlines() if line]
_GROUPS = [list(dict.fromkeys(map(fold, line))) for line in _LINES if line[0][0] not in ">?"]
_MAXIMUM_VARIANTS = 24


def _words(name: str) -> FrozenSet[str]:
    return frozenset(fold(word) for line in _LINES if line[0] == name for word in line[1:])


#: The folded texts that stand for all categories of food: always, and if nothing else is found.
FOOD = _words(">food")
FOOD_IF_NOTHING_ELSE = _words("?food")


def groups_with(is_wanted: Callable[[str], bool]) -> List[str]:
    """All words of the groups that have a word which meets a condition."""
    return [word for group in _GROUPS if any(map(is_wanted, group)) for word in group]


def variants(text: str) -> List[str]:
    """The folded text, and variants of it in which a word or phrase is replaced by others of its group."""
    found = {text: None}
    for group in _GROUPS:
        for word in group:
            if _occurs(word, text):
                for other in group:
                    if other != word and len(found) < _MAXIMUM_VARIANTS:
                        found[text.replace(word, other, 1)] = None
    return list(found)


def _occurs(word: str, text: str) -> bool:
    """Whether a word occurs in a text: as whole words in scripts with spaces, and in others anywhere if it has two characters or is the
    text."""
    if word.isascii():
        return f" {word} " in f" {text} "
    return text == word or (len(word) > 1 and word in text)
