import threading
from dataclasses import dataclass
from typing import Callable, List, Optional, Protocol, Sequence, Union

from ._artwork import Artwork
from ._contract_types import ENDINGS
from ._journal import Task
from ._types import DesignOutput, Entry, Output


@dataclass(frozen=True)
class Design:
    """One customer's picture. `id` is unique in the run and names its files.

    A function as artwork or output is called in a thread when its turn comes, and again for each request.
    `output` is in place of the run's placement, placements and colors; the journal does not have it.
    """

    id: str
    artwork: Union[Artwork, Callable[[], Artwork]]
    templates: Optional[Sequence[str]] = None
    output: Union[DesignOutput, Callable[[], DesignOutput], None] = None


class Journal(Protocol):
    """Where a run remembers what is done."""

    def read(self) -> List[Entry]:
        """The entries of earlier runs, in order."""

    def append(self, entry: Entry) -> None:
        """Returns when the entry will be found by the next run."""


class Saver(Protocol):
    """Where mockups go."""

    def name_of(self, design: str, template: str, extension: str) -> str:
        """What two mockups must not share; compared without regard to capitals."""

    def save(self, design: str, template: str, extension: str, content: bytes) -> None:
        """Returns when the mockup is kept.

        One that cannot be kept is a failure, and the run goes on; where the disk is full or none of several
        requests could be kept, the run stops.
        """


@dataclass(frozen=True)
class Progress:
    """How far a run is. `done` has the mockups of earlier runs with the same journal, credits do not.

    `credits_remaining` is as the last answer said it; None before the first.
    """

    total: int
    done: int
    failed: int
    credits_used: int
    credits_remaining: Optional[int]


@dataclass(frozen=True)
class Failure:
    design: str
    template: str
    error: Exception


@dataclass(frozen=True)
class Summary(Progress):
    """How a run ended. `stopped` is why it did before its end: "max-credits", "asked", or an error; else None."""

    failures: List[Failure]
    stopped: Union[str, Exception, None]


@dataclass(frozen=True)
class Attempt:
    """A request that is to be sent, not before `ready_at` of the monotonic clock."""

    design: Design
    task: Task
    tries: int = 1
    ready_at: float = 0.0


@dataclass(frozen=True)
class Options:
    output: Output
    save: Saver
    journal: Optional[Journal]
    concurrency: int
    max_credits: Optional[int]
    on_progress: Optional[Callable[[Progress], None]]
    stop: Optional[threading.Event]

    @property
    def extension(self) -> str:
        return ENDINGS.get(self.output.get("format") or "jpeg", ENDINGS["jpeg"])[0]
