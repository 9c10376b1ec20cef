"""The library under test, in a process of Node: it answers many queries about several venues at once."""

import json
import os
import pathlib
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
SOURCES = FOLDER.parents[2] / "Clients/javascript/src"


#: What is asked for what can be reached, beside queries.
REPORT = {"report": True}


def query(start, end, profile="walk", closed=(), languages=("en",)):
    """A query; places are `{"feature"}` or `{"longitude", "latitude", "ordinal"}`, `closed` are pairs of an id and a time or None."""
    return {"from": start, "to": end, "profile": profile, "closed": [list(each) for each in closed], "languages": list(languages)}


def texts(work, sources=SOURCES, *options, timeout=None):
    """The answers to `work`, pairs of a venue and its queries, as lists of the text of each answer."""
    with tempfile.TemporaryFile("w+") as lines:
        for venue, queries in work:
            lines.write(json.dumps({"features": list(venue.features), "language": venue.language}) + "\n")
            lines.writelines(json.dumps(each) + "\n" for each in queries)
        lines.seek(0)
        command = [os.environ.get("NODE", "node"), FOLDER / "library.js", sources, *options]
        printed = subprocess.run(command, stdin=lines, stdout=subprocess.PIPE, check=True, text=True, timeout=timeout).stdout.splitlines()
    answers = iter(printed)
    return [[next(answers) for _ in queries] for _, queries in work]


def answers(work, sources=SOURCES):
    """The answers, in which positions have the points of the plane from which they were made as well."""
    return [[json.loads(text) for text in each] for each in texts(work, sources, "--with-points")]
