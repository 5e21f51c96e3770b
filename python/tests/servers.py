"""Servers on loopback that do to a client what networks and services do at times."""

import json
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Iterator, List, Optional, Tuple
from urllib.parse import urlsplit

# Status, headers and body; None breaks the connection.
Answer = Optional[Tuple[int, Dict[str, str], Any]]
BALANCE: Answer = (200, {}, {"balance_cents": 5, "balance_dollars": "0.05", "balance_credits": 5})


class Scripted:
    """A service that answers what a test says, in order, and remembers what it was asked."""

    def __init__(self, answers: List[Answer]) -> None:
        self.asked: List[Dict[str, str]] = []
        self.bodies: List[bytes] = []
        scripted, left = self, list(answers)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                scripted.asked.append(dict(self.headers.items()))
                scripted.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
                answer = left.pop(0)
                if answer is None:
                    self.close_connection = True
                    return
                status, headers, body = answer
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Scripted":
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def listening(serve: "Any") -> Iterator[str]:
    """The address of a socket whose connections `serve` gets, one after the other."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    serve(connection)

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


class DroppingProxy:
    """Passes requests on, waits for the whole answer, and drops those of the first `drops` requests."""

    def __init__(self, url: str, drops: int) -> None:
        parts = urlsplit(url)
        self._target = (parts.hostname or "", parts.port or 80)
        self._drops = drops
        self.requests: List[bytes] = []

    def __call__(self, connection: socket.socket) -> None:
        request = _read_request(connection)
        self.requests.append(request)
        with socket.create_connection(self._target) as service:
            service.sendall(request)
            answer = b""
            while block := service.recv(65_536):
                answer += block
        if len(self.requests) > self._drops:
            connection.sendall(answer)


def _read_request(connection: socket.socket) -> bytes:
    request = b""
    while b"\r\n\r\n" not in request:
        block = connection.recv(65_536)
        if not block:
            raise ConnectionError("the client left")
        request += block
    head, body = request.split(b"\r\n\r\n", 1)
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    length = int(lengths[0].split(b":")[1]) if lengths else 0
    while len(body) < length:
        block = connection.recv(65_536)
        if not block:
            raise ConnectionError("the client left")
        body += block
        request += block
    return request
