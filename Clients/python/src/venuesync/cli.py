"""The command line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import IO, Iterable, List, Optional

from . import __version__
from .errors import StoreError, SyncError, Unauthorized, Unavailable, UnknownVenue, Unreachable, Untrusted, VenueGone
from .feature import Feature
from .level_names import AmbiguousName, NamedLevel, is_protocol_name, level_named
from .output import output
from .replica import VenueReplica
from .report import SyncReport
from .selection import EVERYTHING, VENUE_WIDE
from .store import Reader, ReplicaStore, VenueState
from .trust import TrustedKeys

_DEFAULT_SERVER = "http://127.0.0.1:8080"
_EXIT_CODES = """exit codes: 0 success; 1 any other error, or verify found damage; 4 no such venue, level or file; 5 no key, a wrong key,
or one without the permission; 6 the server does not answer; 64 the command line is invalid"""


class UsageError(Exception):
    pass


def main(arguments: Optional[List[str]] = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        result: int = options.run(options)
        return result
    except (UsageError, AmbiguousName) as error:
        print(f"venuesync: {error}", file=sys.stderr)
        return 64
    except SyncError as error:
        print(f"venuesync: {error}", file=sys.stderr)
        return exit_code(error)
    except ValueError as error:
        print(f"venuesync: {error}", file=sys.stderr)
        return 64
    except BrokenPipeError:
        # The reader of the output has closed the pipe. Without the redirection Python would report that again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"venuesync: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def exit_code(error: SyncError) -> int:
    if isinstance(error, (UnknownVenue, VenueGone)):
        return 4
    if isinstance(error, Unauthorized):
        return 5
    return 6 if isinstance(error, (Unreachable, Unavailable)) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="venuesync", description="Verified replicas of indoor maps, in SQLite files.", epilog=_EXIT_CODES)
    parser.add_argument("--version", action="version", version=f"venuesync {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run, description in (
            ("pull", _pull, "download a venue into a file, or bring the file up to date"),
            ("follow", _follow, "keep a file up to date with every revision, until stopped")):
        command = commands.add_parser(name, help=description, description=description, epilog=_EXIT_CODES)
        command.add_argument("venue")
        command.add_argument("--into", required=True, metavar="FILE")
        command.add_argument("--level", action="append", metavar="LEVEL", help="an id, ordinal:N, a short name, or venue (the "
                             "venue-wide part alone); repeatable. By default the levels that the file has")
        command.add_argument("--everything", action="store_true", help="all levels, whichever the file has")
        command.add_argument("--server", default=os.environ.get("VENUE_SERVER", _DEFAULT_SERVER), help="or VENUE_SERVER")
        command.add_argument("--trust", action="append", metavar="KEY", help="a public key that has to sign every revision; "
                             "repeatable. By default revisions need no signature")
        command.add_argument("--json", action="store_true", help="a line of JSON for every report")
        command.set_defaults(run=run)
    export = commands.add_parser("export", help="write the features of a file as GeoJSON; needs no server")
    export.add_argument("file")
    export.add_argument("--level", action="append", metavar="LEVEL", help="an id, ordinal:N, a short name, or venue; repeatable")
    export.add_argument("--type", action="append", help="a feature type; repeatable")
    export.add_argument("--lines", action="store_true", help="one feature per line (GeoJSONL) instead of a FeatureCollection")
    export.add_argument("-o", "--output", metavar="FILE")
    export.set_defaults(run=_export)
    verify = commands.add_parser("verify", help="verify all digests of a file; needs no server")
    verify.add_argument("file")
    verify.add_argument("--key", action="append", metavar="KEY", help="a public key that has to have signed the file; repeatable")
    verify.add_argument("--json", action="store_true")
    verify.set_defaults(run=_verify)
    return parser


def _open(options: argparse.Namespace) -> VenueReplica:
    return VenueReplica(options.into, options.server, options.venue, os.environ.get("VENUE_KEY") or None, trust=options.trust)


def _first_sync(replica: VenueReplica, options: argparse.Namespace) -> SyncReport:
    if options.everything and options.level:
        raise UsageError("--everything and --level cannot be used together")
    if options.everything:
        return replica.sync(levels=EVERYTHING)
    if options.level:
        return replica.sync(levels=_names_online(replica, options.level))
    return replica.sync()


def _pull(options: argparse.Namespace) -> int:
    with _open(options) as replica:
        _print_report(_first_sync(replica, options), options.json)
    return 0


def _follow(options: argparse.Namespace) -> int:
    with _open(options) as replica:
        if options.everything or options.level:
            _print_report(_first_sync(replica, options), options.json)
        for event in replica.follow():
            if event.report is not None:
                _print_report(event.report, options.json)
            elif event.kind == "setback":
                print(f"venuesync: {event.error}; retrying in {event.pause:.0f} s", file=sys.stderr, flush=True)
            else:
                print("venuesync: connected", file=sys.stderr, flush=True)
    return 0


def _names_online(replica: VenueReplica, names: Iterable[str]) -> List[str]:
    """Replaces short names by the ids of the levels with these names on the server."""
    if all(is_protocol_name(name) for name in names):
        return list(names)
    document, _ = replica.server.document(f"/venues/{replica.venue}")
    levels = [
        NamedLevel.of(level["level_id"], level.get("ordinal"), level.get("short_name"), level.get("name"))
        for level in document.get("levels", []) if level.get("level_id")]
    return [name if is_protocol_name(name) else level_named(name, levels) for name in names]


def _export(options: argparse.Namespace) -> int:
    with ReplicaStore(options.file, create=False) as store, store.read() as reader:
        # All levels are found before anything is written.
        states = [state for state in map(reader.state, reader.venues()) if state is not None]
        for state in states:
            for level in reader.damaged(state):
                raise StoreError(f"{level or 'the venue-wide part'} of {state.key} is damaged. “venuesync pull” fetches it again")
        parts = [(state, _held(reader, state, options.level)) for state in states]
        if options.output and os.path.exists(options.output) and os.path.samefile(options.output, options.file):
            raise UsageError("the output would replace the replica")
        with output(options.output) as file:
            features = (feature for state, levels in parts for feature in reader.features(state, levels, options.type))
            _write(features, file, options.lines)
    return 0


def _held(reader: Reader, state: VenueState, names: Optional[List[str]]) -> Optional[List[Optional[str]]]:
    """The levels of the file with these names, the venue-wide part as None. Without names, None for all."""
    if not names:
        return None
    levels = reader.levels(state)
    named = [
        NamedLevel.of(feature.id, feature.ordinal, feature.labels("short_name"), feature.labels())
        for feature in reader.features(state, [None], ["level"])]
    found: List[Optional[str]] = []
    for name in names:
        if name == VENUE_WIDE:
            found.append(None)
        elif is_protocol_name(name):
            ids = [level.id for level in levels if level.id is not None and name.lower() in (level.id, f"ordinal:{level.ordinal}")]
            if not ids:
                raise UnknownVenue(f"there is no level “{name}” of {state.key}")
            found += ids
        else:
            found.append(level_named(name, named))
    return found


def _write(features: Iterable[Feature], file: IO[bytes], as_lines: bool) -> None:
    if as_lines:
        for feature in features:
            file.write(feature.body + b"\n")
        return
    file.write(b'{"type":"FeatureCollection","features":[')
    separator = b"\n"
    for feature in features:
        file.write(separator + feature.body)
        separator = b",\n"
    file.write(b"\n]}\n")


def _verify(options: argparse.Namespace) -> int:
    problems: List[str] = []
    venues = {}
    keys = TrustedKeys(options.key) if options.key else None
    with ReplicaStore(options.file, create=False) as store, store.read() as reader:
        problems += reader.problems()
        for venue in reader.venues():
            state = reader.state(venue)
            assert state is not None
            damaged = reader.damaged(state)
            if keys is not None:
                problems += _signature_problems(reader, state, keys)
            problems += [f"{venue}: {level or 'the venue-wide part'} differs from its digest" for level in damaged]
            venues[venue] = {
                "revision": state.revision, "digest": state.digest,
                "levels": {level or "-": digest for level, digest in reader.digests(state).items()},
                "damaged": [level or "-" for level in damaged]}
    if options.json:
        print(json.dumps({"venues": venues, "problems": problems}, sort_keys=True))
    else:
        for venue, result in venues.items():
            print(f"{venue} at revision {result['revision']}: {len(result['levels'])} levels")  # type: ignore[arg-type]
        for problem in problems or ["all digests match"]:
            print(problem)
    return 1 if problems else 0


def _signature_problems(reader: Reader, state: VenueState, keys: TrustedKeys) -> List[str]:
    document = reader.signed_head(state)
    if document is None:
        return [f"{state.key}: the file has no statement; it was not synchronized with trusted keys"]
    try:
        head = keys.head(document, state.key)
        if head.revision != state.revision or state.selection is None:
            return [f"{state.key}: the statement is about revision {head.revision}"]
        head.check_held(reader.digests(state), state.selection, reader.ordinals(state))
    except Untrusted as error:
        return [f"{state.key}: {error}"]
    return []


def _print_report(report: SyncReport, as_json: bool) -> None:
    if as_json:
        line = json.dumps({
            "venue": report.venue, "from": report.from_revision, "to": report.to_revision, "added": report.added,
            "changed": report.changed, "removed": report.removed, "repaired": report.repaired,
            "levels_added": [vars(level) for level in report.levels_added],
            "levels_dropped": [vars(level) for level in report.levels_dropped],
            "changes": [
                {"kind": change.kind, "id": change.id, "feature_type": change.type, "level_id": change.level,
                 "from_level_id": change.from_level} for change in report.changes],
            "has_started_over": report.has_started_over, "is_external": report.is_external})
    elif report.is_external:
        line = f"{report.venue} is at revision {report.to_revision}, which another process stored"
    else:
        line = (f"{report.venue} is at revision {report.to_revision}: {report.added} added, {report.changed} changed, "
                f"{report.removed} removed, {len(report.levels_added)} levels added, {len(report.levels_dropped)} levels dropped")
    print(line, flush=True)
