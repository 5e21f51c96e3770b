from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Sequence, Set, Tuple

from ._client import make_key
from ._types import Entry

# Templates of one request: as many as the service takes.
TEMPLATES_MAX = 12


@dataclass(frozen=True)
class Task:
    """One request of a run."""

    key: str
    templates: Tuple[str, ...]


class Past:
    """What a journal says of earlier runs."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.output: Optional[str] = None
        self._done: Set[Tuple[str, str]] = set()
        self._last: Dict[Tuple[str, str], Task] = {}
        for entry in entries:
            if entry["type"] == "run":
                self.output = self.output or entry["output"]
            elif entry["type"] == "done":
                self._done.add((entry["design"], entry["template"]))
            else:
                task = Task(entry["key"], tuple(entry["templates"]))
                for template in task.templates:
                    self._last[entry["design"], template] = task

    def is_done(self, design: str, template: str) -> bool:
        return (design, template) in self._done

    def build_tasks(self, design: str, templates: Sequence[str]) -> List[Task]:
        """Repeats requests that were under way, as they were, and makes new ones of what is left.

        The answer of such a request may have been made and paid for: its key gets it again.
        """
        repeated: Dict[str, Task] = {}
        fresh: List[str] = []
        for template in templates:
            task = self._last.get((design, template))
            if task is not None and self._can_repeat(design, task, templates):
                repeated[task.key] = task
            else:
                fresh.append(template)
        return [*repeated.values(), *split(fresh)]

    def _can_repeat(self, design: str, task: Task, wanted: Sequence[str]) -> bool:
        return all(
            self._last[design, template].key == task.key and (template in wanted or self.is_done(design, template))
            for template in task.templates
        )


def split(templates: Sequence[str], size: int = TEMPLATES_MAX) -> List[Task]:
    """New requests for so many templates."""
    starts = range(0, len(templates), size)
    return [Task(make_key(), tuple(templates[start : start + size])) for start in starts]
