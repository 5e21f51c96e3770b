"""`render_all` against a running service."""

import errno
import os
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Dict, List

from servers import DroppingProxy, listening
from vitrine_client import (
    Artwork,
    Design,
    DesignOutput,
    FileJournal,
    Folder,
    Progress,
    Summary,
    Vitrine,
    VitrineError,
    render_all,
)

URL = os.environ["VITRINE_URL"]
KEY = os.environ["VITRINE_API_KEY"]
PICTURE = Path(os.environ["TEST_PICTURE"])
TEMPLATES = ["one-frame", "oak-frame-portrait"]


class BulkTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.vitrine = Vitrine()

    def credits(self) -> int:
        return self.vitrine.balance()["balance_credits"]

    def run_all(self, designs: List[Design], **options: Any) -> Summary:
        given: Dict[str, Any] = {
            "save": Folder(self.folder / "out"),
            "journal": FileJournal(self.folder / "run.jsonl"),
            "output": {"width": 16},
            **options,
        }
        return render_all(given.pop("vitrine", self.vitrine), designs, given.pop("templates", TEMPLATES), **given)

    def files(self) -> List[str]:
        out = self.folder / "out"
        return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())

    def test_every_design_in_every_template_once_and_again_for_nothing(self) -> None:
        before = self.credits()
        seen: List[Progress] = []
        designs = [Design(f"d{number}", PICTURE) for number in range(5)]
        run = self.run_all(designs, on_progress=seen.append)
        self.assertEqual((run.total, run.done, run.failed, run.stopped), (10, 10, 0, None))
        self.assertEqual((run.credits_used, run.credits_remaining), (10, before - 10))
        self.assertEqual(len(self.files()), 10)
        self.assertEqual([progress.done for progress in seen], [2, 4, 6, 8, 10])
        again = self.run_all(designs)
        self.assertEqual((again.done, again.credits_used, self.credits()), (10, 0, before - 10))
        with self.assertRaisesRegex(ValueError, "journal"):
            self.run_all(designs, output={"width": 17})

    def test_a_run_that_broke_off_goes_on_and_what_was_made_is_not_paid_again(self) -> None:
        before = self.credits()
        designs = [Design(f"d{number}", PICTURE) for number in range(3)]

        class FullDisk(Folder):
            def save(self, design: str, template: str, extension: str, content: bytes) -> None:
                if (design, template) == ("d1", "oak-frame-portrait"):
                    raise OSError(errno.ENOSPC, "the disk is full")
                super().save(design, template, extension, content)

        full = self.run_all(designs, save=FullDisk(self.folder / "out"), concurrency=1)
        self.assertEqual((full.done, full.failed, str(full.stopped)), (3, 1, "[Errno 28] the disk is full"))
        self.assertEqual(len(self.files()), 3)
        with (self.folder / "run.jsonl").open("a") as journal:
            journal.write('{"type":"do')  # cut by the crash
        run = self.run_all(designs)
        self.assertEqual((run.done, run.credits_used, run.stopped), (6, 2, None))
        self.assertEqual((len(self.files()), self.credits()), (6, before - 6))

    def test_what_cannot_be_kept_is_a_failure_and_stops_the_run_only_where_nothing_can(self) -> None:
        before = self.credits()
        designs = [Design(f"d{number}", PICTURE) for number in range(5)]
        out = self.folder / "out"
        (out / "d1" / "one-frame.jpg" / "taken").mkdir(parents=True)
        run = self.run_all(designs, concurrency=1)
        self.assertEqual((run.done, run.failed, run.stopped), (9, 1, None))
        self.assertEqual([(failure.design, failure.template) for failure in run.failures], [("d1", "one-frame")])
        (out / "d1" / "one-frame.jpg" / "taken").rmdir()
        (out / "d1" / "one-frame.jpg").rmdir()
        again = self.run_all(designs)
        self.assertEqual((again.done, again.credits_used, self.credits()), (10, 0, before - 10))

        class Gone(Folder):
            def save(self, design: str, template: str, extension: str, content: bytes) -> None:
                raise RuntimeError("gone")

        useless = self.run_all(designs, save=Gone(out), journal=None, concurrency=1)
        self.assertEqual((useless.done, useless.failed, str(useless.stopped)), (0, 6, "gone"))

    def test_a_design_may_have_a_placement_of_its_own(self) -> None:
        def found() -> DesignOutput:
            return {"placement": {"fit": "contain", "scale": 0.5}}

        outputs: Dict[str, Any] = {"plain": None, "own": found(), "found": found}
        designs = [Design(name, PICTURE, output=output) for name, output in outputs.items()]
        run = self.run_all(designs, templates=["one-frame"], output={"width": 100})
        self.assertEqual((run.done, run.failed), (3, 0))
        plain, own, late = [(self.folder / "out" / name / "one-frame.jpg").read_bytes() for name in outputs]
        self.assertNotEqual(own, plain)
        self.assertEqual(late, own)

    def test_names_are_cut_to_what_file_systems_take(self) -> None:
        names = ["x" * 248, "x" * 300 + "a", "x" * 300 + "b", "é" * 126, "畫" * 200]
        save = Folder(self.folder / "out", "{design}-{template}.{ext}")
        run = self.run_all([Design(name, PICTURE) for name in names], templates=["one-frame"], save=save)
        self.assertEqual((run.done, run.failed), (5, 0))
        self.assertTrue(all(name.endswith(".jpg") and len(os.fsencode(name)) <= 255 for name in self.files()))
        self.assertEqual(len(self.files()), 5)
        self.assertEqual(save.name_of("y" * 241, "one-frame", "jpg"), "y" * 241 + "-one-frame.jpg")

    def test_patterns_that_lead_elsewhere_or_end_as_another_format_does_are_refused(self) -> None:
        for pattern in ("../{design}.{ext}", "/tmp/{design}.{ext}", "{design}/", ""):
            with self.assertRaisesRegex(ValueError, "below the folder"):
                Folder(self.folder, pattern)
        for pattern, extension in (("{design}.webp", "jpg"), ("{design}.png", "jpg"), ("{design}.JPG", "png")):
            with self.assertRaisesRegex(ValueError, f"\\.{extension} at the end"):
                Folder(self.folder, pattern).name_of("d", "t", extension)
        self.assertEqual(Folder(self.folder, "{design}.jpeg").name_of("d", "t", "jpg"), "d.jpeg")

    def test_a_dropped_answer_is_asked_for_again_and_charged_once(self) -> None:
        before = self.credits()
        with listening(DroppingProxy(URL, drops=1)) as url:
            run = self.run_all([Design("d", PICTURE)], vitrine=Vitrine(KEY, url))
        self.assertEqual((run.done, run.failures), (2, []))
        self.assertEqual(self.credits(), before - 2)

    def test_one_bad_picture_or_template_does_not_stop_the_others(self) -> None:
        def broken() -> Artwork:
            raise RuntimeError("no such picture")

        designs = [Design("bad", b"no picture"), Design("good", lambda: PICTURE), Design("broken", broken)]
        run = self.run_all(designs, templates=["one-frame", "no-such-template"])
        self.assertEqual((run.done, run.failed, run.stopped), (1, 5, None))
        self.assertEqual(self.files(), [os.path.join("good", "one-frame.jpg")])
        codes = {
            (failure.design, failure.template): getattr(failure.error, "code", "other") for failure in run.failures
        }
        self.assertEqual(codes["good", "no-such-template"], "TEMPLATE_NOT_FOUND")
        self.assertEqual(codes["bad", "one-frame"], "INVALID_ARTWORK")
        self.assertEqual(codes["broken", "one-frame"], "other")

    def test_it_stops_at_the_limit_at_the_end_of_the_credits_with_a_bad_key_and_when_asked(self) -> None:
        designs = [Design(f"d{number}", PICTURE) for number in range(6)]
        limited = self.run_all(designs, max_credits=5)
        self.assertEqual((limited.done, limited.credits_used, limited.stopped), (4, 4, "max-credits"))
        poor = Vitrine(os.environ["TEST_POOR_KEY"], URL)
        run = self.run_all(designs, vitrine=poor, journal=None, concurrency=1)
        self.assertIsInstance(run.stopped, VitrineError)
        self.assertEqual((getattr(run.stopped, "code", ""), run.done), ("INSUFFICIENT_CREDITS", 4))
        refused = self.run_all(designs, vitrine=Vitrine("vtr_wrong", URL), journal=None)
        self.assertEqual((getattr(refused.stopped, "code", ""), refused.done), ("INVALID_API_KEY", 0))
        stop = threading.Event()
        asked = self.run_all(designs, journal=None, stop=stop, concurrency=1, on_progress=lambda _: stop.set())
        self.assertEqual((asked.stopped, asked.done), ("asked", 2))

    def test_names_that_collide_are_refused_before_the_first_credit(self) -> None:
        before = self.credits()
        for ids in (["a", "A"], ["a/b", "a_b"], ["same", "same"]):
            both = f'"{ids[0]}" in one-frame and of "{ids[1]}" in one-frame'
            with self.assertRaisesRegex(ValueError, f"comes twice: of {both}"):
                self.run_all([Design(name, PICTURE) for name in ids])
        self.assertEqual(self.credits(), before)

    def test_names_of_designs_lead_out_of_no_folder(self) -> None:
        names = ["..", "../../up", "/root"]
        run = self.run_all([Design(name, PICTURE) for name in names], templates=["one-frame"])
        self.assertEqual((run.done, len(self.files())), (3, 3))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["out", "run.jsonl"])
