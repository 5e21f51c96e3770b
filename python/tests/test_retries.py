"""Retries, limits of time, and what a client must not show or trust."""

import socket
import tempfile
import tracemalloc
import unittest
from pathlib import Path
from typing import List, Tuple
from unittest.mock import patch

from servers import BALANCE, Answer, Scripted, listening
from vitrine_client import Vitrine, VitrineError

KEY = "vtr_secret_of_the_test"


def failed(status: int, code: str, **headers: str) -> Answer:
    return status, headers, {"error": "A sentence.", "code": code}


class RetriesTest(unittest.TestCase):
    def waits(self, answers: List[Answer], max_retries: int = 2) -> List[float]:
        """The waits of a call; VitrineError passes."""
        with Scripted(answers) as service, patch("vitrine_client._send.time.sleep") as sleep:
            try:
                Vitrine(KEY, service.url, max_retries=max_retries).balance()
            finally:
                self.asked = len(service.asked)
                self.slept = [call.args[0] for call in sleep.call_args_list]
        return self.slept

    def test_waits_double_to_eight_seconds_and_differ_by_a_quarter(self) -> None:
        waits = self.waits([failed(500, "INTERNAL_ERROR")] * 6 + [BALANCE], max_retries=6)
        for wait, expected in zip(waits, [0.5, 1, 2, 4, 8, 8]):
            self.assertGreaterEqual(wait, expected * 0.75)
            self.assertLessEqual(wait, expected * 1.25)
        self.assertEqual(len(waits), 6)

    def test_the_service_says_how_long_to_wait(self) -> None:
        answer = failed(429, "RATE_LIMIT_EXCEEDED", **{"Retry-After": "7"})
        self.assertEqual(self.waits([answer, BALANCE]), [7.0])

    def test_over_a_minute_is_not_waited_for(self) -> None:
        with self.assertRaises(VitrineError) as caught:
            self.waits([failed(503, "SERVER_BUSY", **{"Retry-After": "61"})])
        self.assertEqual((caught.exception.retry_after, self.slept), (61.0, []))

    def test_what_may_pass_is_tried_again_and_what_cannot_is_not(self) -> None:
        for status, code in [(408, "REQUEST_TIMEOUT"), (409, "IDEMPOTENCY_CONFLICT"), (502, "X"), (504, "X")]:
            self.assertEqual(len(self.waits([failed(status, code), None, BALANCE])), 2, code)
        for status in (301, 400, 401, 402, 404, 413, 415, 422):
            with self.assertRaises(VitrineError):
                self.waits([failed(status, "X")])
            self.assertEqual(self.asked, 1, status)
        with self.assertRaises(VitrineError):
            self.waits([failed(409, "X")])
        with self.assertRaises(VitrineError):
            self.waits([None, None, None])
        self.assertEqual(self.asked, 3)

    def test_all_tries_of_a_call_have_one_key_and_each_call_its_own(self) -> None:
        busy = failed(503, "SERVER_BUSY")
        picture: Answer = (200, {"Content-Type": "image/png"}, b"picture")
        with Scripted([busy, busy, picture, picture]) as service, patch("vitrine_client._send.time.sleep"):
            vitrine = Vitrine(KEY, service.url)
            vitrine.generate("t", b"x")
            vitrine.generate("t", b"x")
        keys = [headers["Idempotency-Key"] for headers in service.asked]
        self.assertEqual(len(set(keys[:3])), 1)
        self.assertEqual(len(set(keys)), 2)
        self.assertTrue(all(key.startswith("auto-") for key in keys))
        self.assertEqual(len(set(service.bodies[:3])), 1)

    def test_answers_that_no_version_knows_are_errors_too(self) -> None:
        cases: List[Tuple[Answer, str]] = [
            (failed(418, "A_NEW_CODE"), "A_NEW_CODE"),
            ((400, {}, {"code": 7, "error": [], "details": "text", "hint": 1}), "UNEXPECTED_RESPONSE"),
            ((400, {"Retry-After": "soon"}, b"<html>\xff"), "UNEXPECTED_RESPONSE"),
            ((200, {}, b"[1]"), "UNEXPECTED_RESPONSE"),
            ((200, {}, {"other": True}), "UNEXPECTED_RESPONSE"),
        ]
        for answer, code in cases:
            with self.assertRaises(VitrineError) as caught:
                self.waits([answer])
            self.assertEqual(caught.exception.code, code)
            self.assertEqual(caught.exception.details, {})

    def test_a_timeout_ends_a_try_that_gets_nothing_or_a_byte_now_and_then(self) -> None:
        def silent(connection: socket.socket) -> None:
            connection.settimeout(5)
            while connection.recv(65_536):
                pass

        def slow(connection: socket.socket) -> None:
            connection.settimeout(0.05)
            while True:
                try:
                    if not connection.recv(65_536):
                        return
                    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                except socket.timeout:
                    connection.sendall(b"x")

        for serve in (silent, slow):
            with listening(serve) as url, self.assertRaises(VitrineError) as caught:
                Vitrine(KEY, url, timeout=0.4, max_retries=0).balance()
            self.assertEqual(caught.exception.code, "TIMEOUT")

    def test_a_file_is_read_while_it_is_sent(self) -> None:
        size = 20_000_000
        received: List[int] = []

        def count(connection: socket.socket) -> None:
            total = 0
            buffer = bytearray(65_536)
            while total < size:
                total += connection.recv_into(buffer)
            received.append(total)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")

        with tempfile.TemporaryDirectory() as folder, listening(count) as url:
            path = Path(folder) / "large.png"
            with path.open("wb") as file:
                file.truncate(size)
            tracemalloc.start()
            Vitrine(KEY, url).generate("t", path)
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        self.assertGreater(received[0], size)
        self.assertLess(peak, 2_000_000)

    def test_the_key_is_in_no_text(self) -> None:
        vitrine = Vitrine(KEY, "http://127.0.0.1:1", max_retries=0)
        with self.assertRaises(VitrineError) as caught:
            vitrine.balance()
        self.assertEqual(caught.exception.code, "CONNECTION_FAILED")
        texts = [repr(vitrine), str(vars(vitrine)), str(caught.exception), repr(caught.exception)]
        texts.append(repr(caught.exception.__cause__))
        with self.assertRaises(ValueError) as refused:
            Vitrine(f"{KEY}\n", "http://127.0.0.1:1")
        texts.append(repr(refused.exception))
        for text in texts:
            self.assertNotIn("secret", text)

    def test_a_key_goes_to_no_other_place(self) -> None:
        with Scripted([BALANCE]) as other:
            with Scripted([(302, {"Location": other.url}, {})]) as service, self.assertRaises(VitrineError) as caught:
                Vitrine(KEY, service.url).balance()
        self.assertEqual(other.asked, [])
        self.assertIn(f"a redirect to {other.url}", str(caught.exception))
        for address in ("ftp://example.com", "example.com", "https://user:word@example.com", "https://"):
            with self.assertRaises(ValueError):
                Vitrine(KEY, address)
