import hashlib
import json
import os
import re
import uuid
from pathlib import Path
from typing import List, Union

from ._contract_types import ENDINGS
from ._types import Entry


def write_whole(path: Path, content: bytes) -> None:
    """Who looks there sees the whole file, or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Not the longer for a long name.
    beside = path.with_name(f".{uuid.uuid4()}.part")
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


# What file systems take as one name, in bytes. A longer ending is none.
_NAME_BYTES_MAX = 255
_ENDING_MAX = 16
_DIGEST_CHARACTERS = 12

# By the ending of mockups, all of their format; and those of mockups or of other files, which a picture of such a
# name would be taken for.
_ENDINGS = {endings[0]: endings for endings in ENDINGS.values()}
_KNOWN = re.compile(
    rf"\.({'|'.join(ending for endings in ENDINGS.values() for ending in endings)}|webp|gif|avif|heic|heif|tiff?|bmp|svgz?"
    r"|pdf|psd|psb|ai|eps|jxl|jp2|jpx|ico|tga|exr|raw|dng|mp4|mov)$",
    re.IGNORECASE,
)


def _fit_name(name: str) -> str:
    """Cuts a name that is too long. A digest of the whole keeps it apart from others with the same start."""
    encoded = os.fsencode(name)
    if len(encoded) <= _NAME_BYTES_MAX:
        return name
    ending = os.path.splitext(name)[1]
    digest = hashlib.sha256(encoded).hexdigest()[:_DIGEST_CHARACTERS]
    end = f"~{digest}{ending if len(ending) <= _ENDING_MAX else ''}"
    return encoded[: _NAME_BYTES_MAX - len(os.fsencode(end))].decode("utf-8", "ignore") + end


class Folder:
    """Keeps the mockups of a run below a folder. {design}, {template} and {ext} are put into the pattern.

    Names that are too long for a file system are cut.

    Raises:
        ValueError: the pattern leads out of the folder; of another format's ending, in `name_of`.
    """

    def __init__(self, root: Union[str, Path], pattern: str = "{design}/{template}.{ext}") -> None:
        self._root = Path(root)
        self._pattern = pattern
        self._names = pattern.split("/")
        if any(name in ("", ".", "..") for name in self._names) or (os.sep != "/" and os.sep in pattern):
            raise ValueError(f"Expected a path below the folder as the names of mockups but received {pattern!r}")

    def name_of(self, design: str, template: str, extension: str) -> str:
        ending = _KNOWN.search(self._pattern)
        if ending is not None and ending[1].lower() not in _ENDINGS[extension]:
            raise ValueError(
                f"Expected .{{ext}} or .{extension} at the end of the names of mockups but received {ending[0]}"
            )
        parts = {"design": design, "template": template, "ext": extension}

        def put(name: str) -> str:
            return re.sub(r"\{(design|template|ext)\}", lambda found: _file_name(parts[found[1]]), name)

        return "/".join(_fit_name(put(name)) for name in self._names)

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
