"""The client against a running service, which service/test/clients/python.test.ts starts."""

import os
import tempfile
import unittest
from pathlib import Path
from typing import List

from servers import DroppingProxy, listening
from vitrine_client import Artwork, Vitrine, VitrineError

URL = os.environ["VITRINE_URL"]
KEY = os.environ["VITRINE_API_KEY"]
ORIGIN = os.environ["TEST_ORIGIN"]
PICTURE = Path(os.environ["TEST_PICTURE"])


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.vitrine = Vitrine()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def credits(self) -> int:
        return self.vitrine.balance()["balance_credits"]

    def test_artwork_from_a_path_bytes_a_file_and_an_address_give_the_same_mockup(self) -> None:
        before = self.credits()
        content = PICTURE.read_bytes()
        pictures = set()
        with PICTURE.open("rb") as file:
            sources: List[Artwork] = [PICTURE, content, bytearray(content), file, f"{ORIGIN}/blue.png"]
            for artwork in sources:
                mockup = self.vitrine.generate("one-frame", artwork, width=32, format="png")
                self.assertEqual(
                    (mockup.template, mockup.content_type, mockup.credits_used, mockup.replayed),
                    ("one-frame", "image/png", 1, False),
                )
                pictures.add(mockup.bytes)
        self.assertEqual(len(pictures), 1)
        self.assertEqual(self.credits(), before - len(sources))

    def test_artwork_by_frame_as_a_list_and_as_a_dict_of_bytes_and_of_addresses(self) -> None:
        red, blue = f"{ORIGIN}/red.png", f"{ORIGIN}/blue.png"
        sources: List[Artwork] = [[red, blue], {0: red, 1: blue}, {1: blue, 0: red}]
        pictures = [self.vitrine.generate("two-frames", artwork, width=32).bytes for artwork in sources]
        self.assertEqual(len(set(pictures)), 1)
        same = self.vitrine.generate("two-frames", [PICTURE, PICTURE.read_bytes()], width=32).bytes
        self.assertEqual(same, self.vitrine.generate("two-frames", [blue, blue], width=32).bytes)
        self.assertNotEqual(same, pictures[0])

    def test_artwork_that_cannot_be_sent_is_refused_before_a_request(self) -> None:
        with self.assertRaisesRegex(TypeError, "both"):
            self.vitrine.generate("two-frames", [PICTURE, f"{ORIGIN}/red.png"])
        with self.assertRaisesRegex(TypeError, "pathlib.Path"):
            self.vitrine.generate("one-frame", "artwork.png")
        with PICTURE.open(encoding="latin1") as text, self.assertRaisesRegex(TypeError, "'rb'"):
            self.vitrine.generate("one-frame", text)  # type: ignore[arg-type]
        with self.assertRaises(FileNotFoundError):
            self.vitrine.generate("one-frame", Path("no-such-file.png"))

    def test_an_address_of_a_service_without_a_scheme_is_refused_with_the_one_that_was_meant(self) -> None:
        for address, meant in (
            ("localhost:8080", "http://localhost:8080"),
            ("127.0.0.1:8080/", "http://127.0.0.1:8080"),
            ("mockups:8080", "http://mockups:8080"),
            ("mockups.example.com", "https://mockups.example.com"),
            ("//mockups.example.com", "https://mockups.example.com"),
        ):
            with self.assertRaisesRegex(ValueError, f": write {meant}$"):
                Vitrine("k", address)

    def test_a_mockup_is_saved_whole_and_its_address_gives_it_without_a_key(self) -> None:
        mockup = self.vitrine.generate("one-frame", PICTURE, width=32)
        target = self.folder / "deep" / "mockup.jpg"
        mockup.save(target)
        mockup.save(target)
        self.assertEqual(target.read_bytes(), mockup.bytes)
        self.assertEqual([path.name for path in target.parent.iterdir()], ["mockup.jpg"])
        self.assertIsNotNone(mockup.url)
        self.assertIsNotNone(mockup.url_expires_at)
        self.assertGreater(mockup.artwork_density, 0)
        self.assertTrue((mockup.idempotency_key or "").startswith("auto-"))
        self.assertNotIn(str(mockup.bytes[:8]), repr(mockup))

    def test_a_batch_has_its_mockups_in_the_order_of_its_templates(self) -> None:
        batch = self.vitrine.generate_batch(["two-frames", "one-frame"], [PICTURE, PICTURE], width=32)
        self.assertEqual([mockup.template for mockup in batch.mockups], ["two-frames", "one-frame"])
        self.assertEqual(batch.credits_used, 2)
        for mockup in batch.mockups:
            self.assertTrue(mockup.bytes.startswith(b"\xff\xd8"))
            self.assertIsNotNone(mockup.url)

    def test_placement_changes_the_picture(self) -> None:
        plain = self.vitrine.generate("one-frame", PICTURE, width=64, format="png")
        placed = self.vitrine.generate(
            "one-frame", PICTURE, width=64, format="png", placement={"scale": 0.3}, placements={0: {"scale": 0.3}}
        )
        self.assertNotEqual(plain.bytes, placed.bytes)

    def test_templates_balance_and_usage(self) -> None:
        found = {template["id"]: template["frame_count"] for template in self.vitrine.templates()}
        self.assertEqual((found["one-frame"], found["two-frames"]), (1, 2))
        self.assertEqual([template["id"] for template in self.vitrine.templates(search="no such")], [])
        self.vitrine.generate("one-frame", PICTURE, width=16)
        self.assertGreater(self.vitrine.usage(period="1d", scope="account")["successful_requests"], 0)

    def test_an_answer_that_was_dropped_is_charged_once(self) -> None:
        before = self.credits()
        proxy = DroppingProxy(URL, drops=1)
        with listening(proxy) as url:
            mockup = Vitrine(KEY, url).generate("one-frame", PICTURE, width=32)
        self.assertEqual(len(proxy.requests), 2)
        self.assertTrue(mockup.replayed)
        self.assertEqual(mockup.credits_used, 0)
        self.assertEqual(self.credits(), before - 1)

    def test_without_a_key_a_call_can_be_charged_twice_and_has_no_address(self) -> None:
        before = self.credits()
        with listening(DroppingProxy(URL, drops=1)) as url:
            mockup = Vitrine(KEY, url).generate("one-frame", PICTURE, width=32, idempotency_key=False)
        self.assertIsNone(mockup.url)
        self.assertEqual(self.credits(), before - 2)

    def test_a_key_of_the_caller_is_charged_once(self) -> None:
        first = self.vitrine.generate("one-frame", PICTURE, width=32, idempotency_key="order-1")
        again = self.vitrine.generate("one-frame", PICTURE, width=32, idempotency_key="order-1")
        self.assertEqual((again.replayed, again.bytes, again.url), (True, first.bytes, first.url))
        with self.assertRaises(VitrineError) as caught:
            self.vitrine.generate("one-frame", PICTURE, width=33, idempotency_key="order-1")
        self.assertEqual(caught.exception.code, "IDEMPOTENCY_MISMATCH")

    def test_errors_have_what_the_service_said(self) -> None:
        with self.assertRaises(VitrineError) as caught:
            self.vitrine.generate("one-frame", PICTURE, width=0)
        error = caught.exception
        self.assertEqual((error.code, error.status), ("INVALID_PARAMETER", 400))
        self.assertEqual(error.details["parameter"], "width")
        self.assertIsNotNone(error.request_id)
        with self.assertRaises(VitrineError) as caught:
            Vitrine("vtr_wrong", URL).balance()
        self.assertEqual((caught.exception.code, caught.exception.status), ("INVALID_API_KEY", 401))
        self.assertNotIn("vtr_wrong", str(caught.exception))

    def test_a_body_that_is_refused_before_its_end_gives_the_error_of_the_service(self) -> None:
        large = self.folder / "large.png"
        with large.open("wb") as file:
            file.truncate(30_000_000)
        with self.assertRaises(VitrineError) as caught:
            self.vitrine.generate("one-frame", large, max_retries=0)
        self.assertIn(caught.exception.code, {"ARTWORK_FILE_TOO_LARGE", "REQUEST_TOO_LARGE"})
