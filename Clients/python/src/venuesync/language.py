"""Chooses among language tags (BCP 47): aliases are replaced, and a script that a tag leaves out is the likely one, by Unicode CLDR.

As in CLDR, `_` separates subtags, too: exporters write `en_US`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Dict, List, NamedTuple, Optional, Sequence

_ALIASES = {
    "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "no": "nb", "sh": "sr-latn", "scc": "sr", "scr": "hr", "tl": "fil",
    "cmn": "zh", "arb": "ar", "zsm": "ms", "pes": "fa", "prs": "fa", "ekk": "et", "lvs": "lv", "swh": "sw", "khk": "mn"}
#: Languages that most readers of a language understand.
_UNDERSTOOD = {"nn": "nb", "nb": "nn", "yue": "zh"}
_LATIN_AMERICA = frozenset("ar bo br bz cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve".split())
#: Of languages that are written in several scripts: language and usual script, then other scripts with the regions where they are.
_TABLE = """
az latn arab:iq,ir cyrl:ru
bs latn
ha latn arab:cm,sd
kk cyrl arab:af,cn,ir,mn
ku latn cyrl:am,az,ge,tm arab:iq,ir,lb
ky cyrl arab:cn latn:tr
mn cyrl mong:cn
ms latn arab:cc
pa guru arab:pk
sd arab deva:in
sr cyrl latn:me,ro,tr
tg cyrl arab:pk
ug arab cyrl:kz,mn
uz latn arab:af cyrl:cn
yue hant hans:cn
zh hans hant:au,bn,gb,gf,hk,id,mo,pa,pf,ph,sr,th,tw,us,vn
"""
#: By language and region; the region "" has the usual script.
_SCRIPTS: Dict[str, Dict[str, str]] = {}
for _line in _TABLE.split("\n"):
    if _line:
        _language, _usual, *_others = _line.split(" ")
        _SCRIPTS[_language] = {"": _usual}
        for _other in _others:
            _script, _regions = _other.split(":")
            _SCRIPTS[_language].update((_region, _script) for _region in _regions.split(","))


class Language(NamedTuple):
    """A tag in lower case; the parts are empty where it has none."""

    language: str
    script: str
    region: str
    text: str


def _likely_script(language: str, region: str) -> str:
    scripts = _SCRIPTS.get(language, {})
    return scripts.get(region, scripts.get("", ""))


@lru_cache(maxsize=512)
def language_of(tag: str) -> Language:
    subtags = [part for part in tag.lower().replace("_", "-").split("-") if part][:16]
    # Older tags name the kind of Chinese behind `zh`.
    if subtags[:1] == ["zh"] and subtags[1:2] in (["cmn"], ["yue"]):
        subtags = subtags[1:]
    primary, others = (subtags[0], subtags[1:]) if subtags else ("", [])
    language, _, script = _ALIASES.get(primary, primary).partition("-")
    plain: List[str] = []
    for subtag in others:
        if len(subtag) == 1:
            break
        plain.append(subtag)
    region = next((each for each in plain if len(each) == 2 or re.fullmatch("[0-9]{3}", each)), "")
    own = next((each for each in plain if len(each) == 4 and not re.fullmatch("[0-9]+", each)), None)
    return Language(language, own or script or _likely_script(language, region), region, "-".join([language, *others]))


def nearest(wanted: Language, languages: Sequence[Language]) -> Optional[int]:
    """The index of the nearest of some languages; None if there is none that readers of the language know.

    The first of these that exists: the whole tag, and shorter and shorter ones (`zh-Hant-TW`, `zh-Hant`); the same language in the same
    script and region; in the same script; in any script; a language that most readers understand.
    """
    if wanted.language == "":
        return None
    texts = [each.text for each in languages]
    for text in _fallbacks(wanted):
        if text in texts:
            return texts.index(text)
    same = [index for index, each in enumerate(languages) if each.language == wanted.language]
    near = [index for index in same if languages[index].script == wanted.script]
    others = [index for index, each in enumerate(languages) if each.language == _UNDERSTOOD.get(wanted.language)]
    found = [
        *(index for index in near if languages[index].region == wanted.region), *near, *same,
        *(index for index in others if languages[index].script == wanted.script), *others]
    return found[0] if found else None


def _fallbacks(wanted: Language) -> List[str]:
    """Tags that are looked for, the best first."""
    subtags = wanted.text.split("-")
    texts = ["-".join(subtags[:count]) for count in range(len(subtags), 1, -1)]
    if wanted.language == "es" and wanted.region in _LATIN_AMERICA:
        texts.append("es-419")
    if wanted.script:
        texts.append(f"{wanted.language}-{wanted.script}")
    if _likely_script(wanted.language, "") in ("", wanted.script):
        texts.append(wanted.language)
    return texts
