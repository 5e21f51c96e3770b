import errno
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple, Union

from ._bulk_types import Attempt, Design, Failure, Options, Progress, Summary
from ._client import Vitrine
from ._errors import VitrineError
from ._journal import TEMPLATES_MAX, Past, split
from ._mockup import Batch
from ._send import wait_before

# Tries of one request, and of one that a busy service has not begun.
_TRIES_MAX = 3
_BUSY_TRIES_MAX = 20
# Seconds. A service that asks to wait longer, as at the end of a day's limit, stops the run.
_RETRY_AFTER_MAX = 600.0
# Seconds between two looks at `stop`.
_LOOK = 0.2

# What would be so for every other mockup too.
_FATAL = frozenset(
    {
        "INSUFFICIENT_CREDITS",
        "MISSING_API_KEY",
        "INVALID_API_KEY",
        "ADDRESS_NOT_ALLOWED",
        "ACCOUNT_SUSPENDED",
        "INSUFFICIENT_SCOPE",
    }
)
# What is wrong with the artwork, whatever the template.
_OF_ARTWORK = frozenset(
    {
        "INVALID_ARTWORK",
        "INVALID_ARTWORK_URL",
        "ARTWORK_FILE_TOO_LARGE",
        "ARTWORK_URL_FORBIDDEN",
        "ARTWORK_FETCH_FAILED",
        "IMAGE_URL_NOT_FOUND",
        "IMAGE_FETCH_TIMEOUT",
    }
)

# Of errors of file systems, what would be so for every other file too.
_FULL_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
# So many requests one after the other of which nothing could be kept: no other could.
_UNKEPT_REQUESTS_MAX = 3

_Outcome = Union[Batch, Exception]


class Run:
    """One run of `render_all`: its queue, its pace and what came of it.

    Threads send requests only; all else happens in the calling thread, so that nothing needs a lock.
    """

    def __init__(
        self, vitrine: Vitrine, options: Options, past: Past, queue: List[Attempt], done: int, total: int
    ) -> None:
        self._vitrine = vitrine
        self._options = options
        self._past = past
        self._queue = queue
        self._active: Dict["Future[_Outcome]", Attempt] = {}
        self._done = done
        self._total = total
        self._failures: List[Failure] = []
        self._kept: Set[Tuple[str, str]] = set()
        # Requests since the last mockup that could be kept.
        self._unkept = 0
        self._credits_used = 0
        self._credits_remaining: Optional[int] = None
        self._concurrency = max(1, options.concurrency)
        self._pace = float(self._concurrency)
        self._paused_until = 0.0
        self._stopped: Union[str, Exception, None] = None

    def finish(self) -> Summary:
        with ThreadPoolExecutor(self._concurrency) as threads:
            while self._queue or self._active:
                if self._options.stop is not None and self._options.stop.is_set():
                    self._stopped = self._stopped or "asked"
                if self._stopped is not None and not self._active:
                    break
                pause = self._start(threads) if self._stopped is None else None
                self._await(pause)
        return Summary(**vars(self._progress()), failures=self._failures, stopped=self._stopped)

    def _start(self, threads: ThreadPoolExecutor) -> Optional[float]:
        """Sends what may be sent now. Returns seconds until more may be, None for the end of a request."""
        while self._queue and len(self._active) < int(self._pace):
            self._queue.sort(key=lambda attempt: attempt.ready_at)
            attempt = self._queue[0]
            pause = max(self._paused_until, attempt.ready_at) - time.monotonic()
            if pause > 0:
                return pause
            if not self._can_afford(attempt):
                # What is under way may cost less than it could.
                if not self._active:
                    self._stopped = "max-credits"
                return None
            self._queue.pop(0)
            if attempt.tries == 1 and self._options.journal is not None:
                task, design = attempt.task, attempt.design.id
                entry = {"type": "batch", "key": task.key, "design": design, "templates": list(task.templates)}
                self._options.journal.append(entry)
            self._active[threads.submit(self._request, attempt)] = attempt
        return None

    def _can_afford(self, attempt: Attempt) -> bool:
        if self._options.max_credits is None:
            return True
        at_work = sum(len(other.task.templates) for other in self._active.values())
        return self._credits_used + at_work + len(attempt.task.templates) <= self._options.max_credits

    def _await(self, pause: Optional[float]) -> None:
        """Waits for the end of a request, at most so many seconds, and deals with what came."""
        if self._options.stop is not None:
            pause = _LOOK if pause is None else min(pause, _LOOK)
        if not self._active:
            time.sleep(pause or 0.0)
            return
        ended, _ = wait(self._active, timeout=pause, return_when=FIRST_COMPLETED)
        for future in ended:
            self._settle(self._active.pop(future), future.result())

    def _request(self, attempt: Attempt) -> _Outcome:
        design, task = attempt.design, attempt.task
        try:
            artwork = design.artwork() if callable(design.artwork) else design.artwork
            own = design.output() if callable(design.output) else design.output
            output: Any = {**self._options.output, **(own or {})}
            return self._vitrine.generate_batch(
                task.templates, artwork, idempotency_key=task.key, max_retries=0, **output
            )
        except Exception as error:
            return error

    def _settle(self, attempt: Attempt, outcome: _Outcome) -> None:
        if isinstance(outcome, Batch):
            self._pace = min(float(self._concurrency), self._pace + 1 / self._pace)
            self._credits_used += outcome.credits_used
            self._credits_remaining = outcome.credits_remaining
            self._keep(attempt.design, outcome)
        elif isinstance(outcome, VitrineError):
            self._handle(attempt, outcome)
        else:
            self._fail(attempt.design, attempt.task.templates, outcome)
        if self._options.on_progress is not None:
            self._options.on_progress(self._progress())

    def _keep(self, design: Design, batch: Batch) -> None:
        """Keeps all that can be kept: every mockup of an answer is paid for."""
        save, journal, extension = self._options.save, self._options.journal, self._options.extension
        kept: List[str] = []
        failure: Optional[Exception] = None
        for mockup in batch.mockups:
            if not self._is_left(design, mockup.template):
                continue
            try:
                save.save(design.id, mockup.template, extension, mockup.bytes)
                kept.append(mockup.template)
            except Exception as error:
                self._fail(design, [mockup.template], error)
                failure = error
        self._unkept = self._unkept + 1 if failure is not None and not kept else 0
        is_full = isinstance(failure, OSError) and failure.errno in _FULL_DISK
        if failure is not None and (is_full or self._unkept >= _UNKEPT_REQUESTS_MAX):
            self._stopped = self._stopped or failure
        for template in kept:
            if journal is not None:
                journal.append({"type": "done", "design": design.id, "template": template})
            self._kept.add((design.id, template))
            self._done += 1

    def _handle(self, attempt: Attempt, error: VitrineError) -> None:
        design, task = attempt.design, attempt.task
        if error.code in _FATAL or (error.retry_after or 0.0) > _RETRY_AFTER_MAX:
            self._stopped = self._stopped or error
            return
        is_busy = error.status in (429, 503)
        if error.retryable and attempt.tries < (_BUSY_TRIES_MAX if is_busy else _TRIES_MAX):
            self._try_again(attempt, error, is_busy)
            return
        left = [template for template in task.templates if self._is_left(design, template)]
        missing = error.details.get("missing_template_ids") if error.code == "TEMPLATE_NOT_FOUND" else None
        unknown = [template for template in left if isinstance(missing, list) and template in missing]
        if unknown:
            self._fail(design, unknown, error)
            self._take_apart(design, [template for template in left if template not in unknown])
        elif error.code == "IDEMPOTENCY_MISMATCH":
            # The artwork changed after an earlier run. The new key cannot mismatch.
            self._take_apart(design, left)
        elif len(task.templates) > 1 and error.code not in _OF_ARTWORK:
            self._take_apart(design, left, 1)
        else:
            self._fail(design, left, error)

    def _try_again(self, attempt: Attempt, error: VitrineError, is_busy: bool) -> None:
        """The same request later: where the service is busy all wait, and fewer are sent at a time."""
        ready_at = time.monotonic() + wait_before(attempt.tries, error.retry_after)
        if is_busy:
            self._pace = max(1.0, self._pace / 2)
            self._paused_until = max(self._paused_until, ready_at)
        self._queue.insert(0, replace(attempt, tries=attempt.tries + 1, ready_at=ready_at))

    def _take_apart(self, design: Design, templates: Sequence[str], size: int = TEMPLATES_MAX) -> None:
        self._queue[:0] = [Attempt(design, task) for task in split(templates, size)]

    def _fail(self, design: Design, templates: Sequence[str], error: Exception) -> None:
        self._failures += [
            Failure(design.id, template, error) for template in templates if self._is_left(design, template)
        ]

    def _is_left(self, design: Design, template: str) -> bool:
        return not self._past.is_done(design.id, template) and (design.id, template) not in self._kept

    def _progress(self) -> Progress:
        return Progress(self._total, self._done, len(self._failures), self._credits_used, self._credits_remaining)
