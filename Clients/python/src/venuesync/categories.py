"""Names and groups of IMDF categories, as the cartography has them that all libraries share."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import Any, Dict, List

_CARTOGRAPHY: Dict[str, Any] = json.loads(resources.files(__package__).joinpath("cartography.json").read_text(encoding="utf-8"))
_NAMES: Dict[str, Dict[str, str]] = _CARTOGRAPHY["categories"]
#: The groups by the prefixes of their categories, those of occupants and those of units.
_GROUPS = [
    {prefix: group["id"] for group in _CARTOGRAPHY["groups"] for prefix in group[kind]} for kind in ("occupants", "units")]
#: No known category or prefix is longer, so that the time for longer ones is bounded.
_LONGEST = max(map(len, [*_NAMES, *_GROUPS[0], *_GROUPS[1]]))
#: The frequent words at the end of compounds, such as `furniturestore`.
_COMPOUND = re.compile(
    "([a-z])(store|shop|supplies|equipment|goods|services|agent|appliances|market|studio|center|school|records|accessories|bar|food|"
    "sushi|gallery|therapy|house|rental|club|park|repair|surgery|medicine|treatment|instruction|clothing|cleaning)\\Z")


def names_of(category: str) -> List[str]:
    """The names of a category in English and Japanese: its own, or those of the category without its last parts. Compounds, such as
    `carpetstore`, have one in English besides. An identifier is not a name."""
    end = len(category) if len(category) <= _LONGEST else category.rfind(".", 0, _LONGEST + 1)
    while end > 0:
        names = _NAMES.get(category[:end])
        if names:
            return list(dict.fromkeys((names["en"], names["ja"])))
        end = category.rfind(".", 0, end)
    separated, count = _COMPOUND.subn(r"\1 \2", category.rstrip(".").rpartition(".")[2])
    return [separated] if count else []


def is_food(category: str) -> bool:
    """Whether occupants or units of a category are for eating and drinking. A category belongs to the group with its longest prefix."""
    ends = range(min(len(category), _LONGEST), 0, -1)
    return any(next((groups[category[:end]] for end in ends if category[:end] in groups), None) == "food" for groups in _GROUPS)
