"""The HTTP transport against a server of the standard library."""

from __future__ import annotations

import gzip
import http.server
import pathlib
import tempfile
import threading
import unittest
from typing import Any, Callable, List, Tuple
from unittest import mock

from pages import lines, named, snapshot
from venuesync import Malformed, Refused, Unreachable, VenueReplica

PAGE = ("\n".join(lines(None, 1, "one", snapshot(None, named("a1", "unit", "Café")))) + "\n").encode()


class Handler(http.server.BaseHTTPRequestHandler):
    respond: Callable[[Any], None]

    def do_GET(self) -> None:
        type(self).respond(self)

    def send(self, body: bytes, length: int, **headers: str) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class HTTPTests(unittest.TestCase):
    def serve(self, respond: Callable[[Any], None]) -> VenueReplica:
        handler = type("RespondingHandler", (Handler,), {"respond": staticmethod(respond)})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        replica = VenueReplica(
            pathlib.Path(folder.name) / "replica.sqlite", f"http://127.0.0.1:{server.server_address[1]}", "mall", "secret")
        self.addCleanup(replica.close)
        return replica

    def test_responses_are_decompressed_and_the_key_is_sent_in_a_header(self) -> None:
        requests: List[Any] = []

        def respond(handler: Handler) -> None:
            requests.append((handler.path, dict(handler.headers)))
            packed = gzip.compress(PAGE)
            handler.send(packed, len(packed), Content_Encoding="gzip")

        replica = self.serve(respond)
        replica.sync()
        self.assertEqual(replica.features()[0].name(), "Café")
        path, headers = requests[0]
        self.assertEqual((headers["Authorization"], headers["Accept-Encoding"]), ("Bearer secret", "gzip"))
        self.assertNotIn("secret", path)

    def test_a_decompression_bomb_is_aborted_at_the_size_limit_of_a_page(self) -> None:
        bomb = gzip.compress((b" " * ((1 << 20) - 1) + b"\n") * 200)
        replica = self.serve(lambda handler: handler.send(bomb, len(bomb), Content_Encoding="gzip"))
        with self.assertRaises(Malformed):
            replica.sync()

    def test_a_redirect_is_not_followed(self) -> None:
        requests = []

        def respond(handler: Handler) -> None:
            requests.append(handler.path)
            handler.send_response(302)
            handler.send_header("Location", "/elsewhere")
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        with self.assertRaises(Refused) as refused:
            self.serve(respond).sync()
        self.assertEqual((refused.exception.status, refused.exception.location), (302, "/elsewhere"))
        self.assertIn("a redirect to /elsewhere", str(refused.exception))
        self.assertEqual(len(requests), 1)

    def test_an_incomplete_response_is_unreachable(self) -> None:
        packed = gzip.compress(PAGE)
        for body, headers in ((PAGE, {}), (packed, {"Content_Encoding": "gzip"})):
            for length in (len(body), len(body) // 2):
                if headers or length == len(body):
                    # Half of the body; a length that says so is found by the end of the gzip.
                    replica = self.serve(lambda handler: handler.send(body[: len(body) // 2], length, **headers))
                    with self.assertRaises(Unreachable):
                        replica.sync()

    def test_a_response_that_breaks_off_or_is_invalid_has_the_reason_of_the_transport(self) -> None:
        def chunked(body: bytes) -> Callable[[Any], None]:
            def respond(handler: Handler) -> None:
                handler.send_response(200)
                handler.send_header("Transfer-Encoding", "chunked")
                handler.end_headers()
                handler.wfile.write(body)
            return respond

        cases: List[Tuple[Callable[[Any], None], str]] = [
            (chunked(b"%x\r\n%s" % (len(PAGE), PAGE[:100])), "the body is incomplete"),
            (lambda handler: handler.send(PAGE, len(PAGE), Content_Encoding="gzip"), "the body is not valid gzip"),
            (chunked(b"no number\r\n" + PAGE), "the body is incomplete"),
        ]
        for respond, reason in cases:
            with self.subTest(reason), self.assertRaises(Unreachable) as unreachable:
                self.serve(respond).sync()
            self.assertEqual(str(unreachable.exception), f"the response is incomplete: {reason}")
        # `http.client` reports most invalid chunk lengths as an incomplete body.
        replica = self.serve(lambda handler: handler.send(PAGE, len(PAGE)))
        with mock.patch("http.client.HTTPResponse.read", side_effect=ValueError("invalid literal for int()")):
            with self.assertRaises(Unreachable) as unreachable:
                replica.sync()
        self.assertEqual(str(unreachable.exception), "the response is incomplete: the body has invalid chunks")

    def test_what_is_no_response_has_a_reason_in_words(self) -> None:
        cases = [
            (self.serve(lambda handler: handler.wfile.write(b"SSH-2.0-OpenSSH\r\n\r\n")), None, "it does not speak HTTP"),
            (self.serve(lambda handler: None), None, "the connection ended before the response"),
            (self.serve(lambda handler: None), "http://127.0.0.1:1", "nothing listens at this address and port"),
            (self.serve(lambda handler: None), "http://no-such-host.invalid", "there is no host of this name"),
        ]
        secure = self.serve(lambda handler: None)
        cases.append((secure, secure.server._base.replace("http:", "https:"), "it does not speak https"))
        for replica, base, reason in cases:
            replica.server._base = base or replica.server._base
            with self.subTest(reason), self.assertRaises(Unreachable) as unreachable:
                replica.sync()
            self.assertEqual(str(unreachable.exception), f"{replica.server._base} does not answer: {reason}")
            self.assertIsNone(replica.state.revision)


if __name__ == "__main__":
    unittest.main()
