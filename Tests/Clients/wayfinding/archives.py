"""Venues of archives: those that `venue generate` makes, and real ones."""

import json
import os
import pathlib
import subprocess
import tempfile
import zipfile

from shapes import Venue


def read(path, title):
    """The features of an archive, as they are in it."""
    venue = Venue(title)
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            kind = pathlib.PurePath(name).stem
            content = json.loads(archive.read(name)) if name.endswith(("json",)) else {}
            if kind == "manifest":
                venue.language = content.get("language")
            for feature in content.get("features", []):
                venue.features.append({"id": feature["id"].lower(), "type": feature.get("feature_type", kind),
                                       "properties": feature["properties"] or {}, "geometry": feature["geometry"]})
    return venue


def generated(*options):
    """A venue of the generator."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "generated.zip")
        subprocess.run([os.environ["VENUE_PROGRAM"], "generate", "-o", path, *map(str, options)], check=True, stdout=subprocess.DEVNULL)
        return read(path, " ".join(map(str, ("generated", *options))))


def samples():
    """The archives in the folder VENUE_SAMPLES whose features are numbered as they have to be."""
    folder = os.environ.get("VENUE_SAMPLES")
    return sorted(pathlib.Path(folder, "polytech").glob("*.zip")) if folder else []


def real():
    return [read(path, path.stem) for path in samples()]
