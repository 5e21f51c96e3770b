"""The examples of the guide and the example program, run as they are."""

import contextlib
import io
import os
import re
import runpy
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
PICTURE = Path(os.environ["TEST_PICTURE"])


class ExamplesTest(unittest.TestCase):
    def setUp(self) -> None:
        before = os.getcwd()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, before)
        os.chdir(folder.name)
        os.mkdir("designs")
        shutil.copy(PICTURE, "artwork.png")
        for name in ("one", "two"):
            shutil.copy(PICTURE, f"designs/{name}.png")
        Path("designs/._one.png").write_text("left by a system")

    def test_every_example_of_the_guide_does_what_it_says(self) -> None:
        examples = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)
        printed = []
        for number, example in enumerate(examples):
            Path(f"example_{number}.py").write_text(example)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                runpy.run_path(f"example_{number}.py")
            printed.append(output.getvalue())
        self.assertRegex(printed[0], r"^1 \d+\n$")
        self.assertEqual(printed[1], "")
        self.assertRegex(printed[2], r"^\d+\n\d+\n$")
        self.assertEqual(printed[3:], ["['no-such-template']\n", "4 0 None\n"])
        for name in ("mockup.jpg", "tee.png", "batch/one-frame.jpg", "mockups/two/oak-frame-portrait.jpg"):
            self.assertGreater(Path(name).stat().st_size, 300, name)

    def test_the_example_program_renders_a_folder(self) -> None:
        arguments = ["folder.py", "designs", "out", "one-frame"]
        output = io.StringIO()
        with patch.object(sys, "argv", arguments), contextlib.redirect_stdout(output):
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as ended:
                runpy.run_path(str(ROOT / "examples" / "folder.py"), run_name="__main__")
        self.assertEqual((ended.exception.code, output.getvalue()), (0, "2 mockups in out, 2 credits\n"))
