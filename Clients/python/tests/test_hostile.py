"""Malicious responses with matching digests."""

from __future__ import annotations

import tracemalloc
import unittest
import zlib
from typing import Iterable, List, Mapping, Optional

from pages import GROUND, lines, problem, response, snapshot, uuid
from scripted import SERVER
from support import ReplicaTestCase
from venuesync import Malformed, Refused, Response, VenueReplica, delta

ID = uuid("a1")
NO_FEATURES = [
    "{", "{}", f'{{"id":"{ID}"}}', '{"feature_type":"unit"}', '{"feature_type":"unit","id":"a1"}',
    f'{{"feature_type":1,"id":"{ID}"}}', f'{{"feature_type":"unit","id":["{ID}"]}}', f'{{"feature_type":"unit","id":"{ID}"',
    f'{{"feature_type":"unit","id":"{ID}"}}}}', f'{{"feature_type":"unit","id":"{ID.replace("a", "A")}"}}', '{"feature_type":"unit\\',
    f'{{"feature_type":"unit",,"id":"{ID}"}}', '{"properties":' + "[" * 300_000,
    f'{{"feature_type":"unit","id":"{ID}","properties":{{"a":NaN}}}}', f'{{"feature_type":"unit","id":"{ID}","n":{"1" * 5000}}}']


class Endless:
    """A response with a head, followed by endless repetitions of a part."""

    status = 200
    headers: Mapping[str, str] = {}

    def __init__(self, head: bytes, part: bytes) -> None:
        self._next, self._part = head, part

    def read(self, size: int) -> bytes:
        chunk, self._next = self._next, self._part
        return chunk

    def close(self) -> None:
        pass


class EndlessTransport:
    def __init__(self, part: bytes) -> None:
        head = "\n".join(lines(None, 1, "one", snapshot(GROUND))).partition("\n],")[0] + "\n"
        self._response = Endless(head.encode(), part)

    def get(self, url: str, headers: Mapping[str, str]) -> Response:
        return self._response


class EmptyBase:
    """A replica without features."""

    def levels(self) -> List[str]:
        return []

    def ids(self, level: Optional[str]) -> List[str]:
        return []

    def body(self, id: str) -> bytes:
        raise AssertionError("no feature is held")

    def same_type(self, level: Optional[str], id: str) -> Iterable[bytes]:
        return []


def bomb(mebibytes: int) -> bytes:
    """A stream that decompresses to zeros."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(mebibytes)) + packer.flush()


def number(value: int) -> bytes:
    return bytes([value & 0x7F | 0x80]) + number(value >> 7) if value >= 0x80 else bytes([value])


class HostileTests(ReplicaTestCase):
    def test_a_delta_that_decompresses_to_too_much_is_refused_in_bounded_memory(self) -> None:
        stream = bomb(400)
        # One block with one body, which has no source.
        index = bytes([1, 0, 0, 1, 0, 2, 0]) + number(len(stream))
        head = b"VSD\x01%c\x04mall\x02" + bytes(32 + 5)
        # All bodies may have 64 MiB and the index 4 MiB; the buffer is copied when it grows.
        for name, document, limit in (
                ("stream", head % 1 + number(len(index)) + index + stream, 160 << 20),
                ("index", head % 9 + number(len(stream)) + stream, 16 << 20)):
            tracemalloc.start()
            try:
                with self.subTest(name), self.assertRaisesRegex(Malformed, "too large"):
                    delta.page(document, EmptyBase(), None)
                self.assertLess(tracemalloc.get_traced_memory()[1], limit)
            finally:
                tracemalloc.stop()

    def test_an_invalid_body_is_refused_and_nothing_is_stored(self) -> None:
        for line in NO_FEATURES:
            with self.subTest(line[:60]):
                replica = self.replica(response(None, 1, "one", snapshot(GROUND, line)))
                with self.assertRaises(Malformed):
                    replica.sync()
                self.assertEqual((replica.state.revision, replica.features(), replica.levels()), (None, [], []))

    def test_deep_nesting_around_the_bodies_is_refused(self) -> None:
        page = lines(None, 1, "one")
        for deep in ("[" * 100_000, '{"a":' * 100_000):
            replica = self.replica({"status": 200, "body": [f'{page[0][:-11]},"x":{deep}']})
            with self.assertRaises(Malformed):
                replica.sync()

    def test_values_from_a_response_are_escaped_in_requests(self) -> None:
        replica = self.replica(response(None, 1, "one&level=x#/é", snapshot(None)), response(1, 1, "two"))
        replica.sync()
        replica.sync()
        self.assertEqual(self.transport.requests[1]["query"], {"since": "one&level=x#/é", "limit": "50000", "form": "delta"})

    def test_an_endless_response_is_aborted(self) -> None:
        body = f'{{"feature_type":"unit","id":"{ID}","x":"{"x" * 100_000}"}},\n'
        for part in (b"x" * (1 << 18), b"y" * (1 << 18) + b"\n", body.encode() * 3):
            with self.subTest(part[:20]), VenueReplica(
                    self.file, SERVER, "mall", transport=EndlessTransport(part)) as replica, self.assertRaises(Malformed):
                replica.sync()

    def test_redirects_and_invalid_addresses_are_refused(self) -> None:
        with self.assertRaises(Refused):
            self.replica(problem(302)).sync()
        for server in ("ftp://maps.example", "maps.example", "https://a:b@maps.example", "https://maps.example?x=1", ""):
            with self.assertRaises(ValueError):
                VenueReplica(self.file, server, "mall")
        for venue in ("", "Mall", "a/b", "a..b", "a" * 65, "../keys", "mall\n"):
            with self.assertRaises(ValueError):
                VenueReplica(self.file, SERVER, venue)
        with self.assertRaises(ValueError):
            VenueReplica(self.file, SERVER, "mall", "a\r\nX: y")


if __name__ == "__main__":
    unittest.main()
