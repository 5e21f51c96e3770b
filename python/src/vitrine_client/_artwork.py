import json
import os
import secrets
from pathlib import Path
from typing import IO, Any, Iterator, List, Mapping, Sequence, Tuple, Union, cast

# A str is an http(s) address that the service downloads from; files are named by a Path.
ArtworkSource = Union[bytes, bytearray, memoryview, "os.PathLike[str]", IO[bytes], str]
Artwork = Union[ArtworkSource, Sequence[ArtworkSource], Mapping[Union[int, str], ArtworkSource]]

_Content = Union[bytes, Path]
_BLOCK_BYTES = 65_536


class Body:
    """The body of a request. It can be sent more than once; files are read while they are sent."""

    def __init__(self, content_type: str, parts: Sequence[_Content]) -> None:
        self.content_type = content_type
        self._parts = parts

    def length(self) -> int:
        """Bytes in all."""
        return sum(part.stat().st_size if isinstance(part, Path) else len(part) for part in self._parts)

    def __iter__(self) -> Iterator[bytes]:
        for part in self._parts:
            if isinstance(part, bytes):
                yield part
                continue
            with part.open("rb") as file:
                while block := file.read(_BLOCK_BYTES):
                    yield block


def build_body(fields: Mapping[str, Any], artwork: Artwork) -> Body:
    """JSON where artwork is addresses, a form where it is bytes.

    Raises:
        TypeError: artwork is of another kind, or addresses are mixed with bytes.
        OSError: a file cannot be read.
    """
    if isinstance(artwork, str):
        return _to_json({**fields, "artwork_url": _check_address(artwork)})
    if isinstance(artwork, Mapping):
        by_frame = list(artwork.items())
    elif isinstance(artwork, (list, tuple)):
        by_frame = list(enumerate(artwork))
    else:
        return _to_form(fields, [("artwork", _read(cast(ArtworkSource, artwork)))])
    if all(isinstance(source, str) for _, source in by_frame):
        urls = {str(frame): _check_address(str(source)) for frame, source in by_frame}
        return _to_json({**fields, "artwork_urls": urls})
    if any(isinstance(source, str) for _, source in by_frame):
        raise TypeError("Expected addresses or bytes as artwork but received both")
    return _to_form(fields, [(_part_name(frame), _read(source)) for frame, source in by_frame])


def _part_name(frame: Union[int, str]) -> str:
    """Frames are named by their index, or several of them by their slot."""
    return f"artwork_{frame}" if str(frame).isdigit() else f"artwork.{frame}"


def _check_address(text: str) -> str:
    if text.lower().startswith(("http://", "https://")):
        return text
    raise TypeError("Expected an http(s) address as artwork; name a file by pathlib.Path")


def _read(source: ArtworkSource) -> _Content:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    if isinstance(source, os.PathLike):
        path = Path(source)
        path.stat()  # A file that is missing is found before the first try.
        return path
    content: object = source.read() if hasattr(source, "read") else None
    if isinstance(content, bytes):
        return content
    raise TypeError(
        "Expected bytes, a path, a file opened as 'rb' or an address as artwork"
        f" but received {type(source).__name__}"
    )


def _to_json(fields: Mapping[str, Any]) -> Body:
    return Body("application/json", [json.dumps(fields).encode()])


def _to_form(fields: Mapping[str, Any], files: Sequence[Tuple[str, _Content]]) -> Body:
    boundary = secrets.token_hex(16)
    parts: List[_Content] = []
    for name, value in fields.items():
        text = value if isinstance(value, str) else json.dumps(value)
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
        parts.append(f"{head}{text}\r\n".encode())
    for name, content in files:
        disposition = f'Content-Disposition: form-data; name="{name}"; filename="{name}"'
        parts.append(f"--{boundary}\r\n{disposition}\r\nContent-Type: application/octet-stream\r\n\r\n".encode())
        parts += [content, b"\r\n"]
    parts.append(f"--{boundary}--\r\n".encode())
    return Body(f"multipart/form-data; boundary={boundary}", parts)
