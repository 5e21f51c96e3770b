import json
import os
import re
import uuid
from pathlib import Path
from typing import List, Union

from ._types import Entry


def write_whole(path: Path, content: bytes) -> None:
    """Who looks there sees the whole file, or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{uuid.uuid4()}.part")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _file_name(text: str) -> str:
    """A name without what some system does not allow in one, or reads as another folder."""
    name = re.sub(r"[. ]+$", "_", re.sub(r'[\x00-\x1f<>:"/\\|?*]', "_", text))
    return name or "_"


class Folder:
    """Keeps the mockups of a run below a folder. {design}, {template} and {ext} are put into the pattern."""

    def __init__(self, root: Union[str, Path], pattern: str = "{design}/{template}.{ext}") -> None:
        self._root = Path(root)
        self._pattern = pattern

    def name_of(self, design: str, template: str, extension: str) -> str:
        parts = {"design": design, "template": template, "ext": extension}
        return re.sub(r"\{(design|template|ext)\}", lambda found: _file_name(parts[found[1]]), self._pattern)

    def save(self, design: str, template: str, extension: str, content: bytes) -> None:
        write_whole(self._root / self.name_of(design, template, extension), content)


class FileJournal:
    """A journal in a file, a line for each entry. A line that a crash has cut is left out."""

    def __init__(self, path: Union[str, Path]) -> None:
        self._path = Path(path)

    def read(self) -> List[Entry]:
        if not self._path.exists():
            return []
        content = self._path.read_bytes()
        if content and not content.endswith(b"\n"):
            self._append("\n")
        entries: List[Entry] = []
        for line in content.splitlines():
            try:
                entries.append(json.loads(line))
            except ValueError:
                continue  # It was cut.
        return entries

    def append(self, entry: Entry) -> None:
        self._append(json.dumps(entry) + "\n")

    def _append(self, text: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(text)
