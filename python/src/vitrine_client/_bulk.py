import json
import threading
from typing import Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from ._bulk_types import Attempt, Design, Journal, Options, Progress, Saver, Summary
from ._client import Vitrine
from ._journal import Past
from ._run import Run
from ._types import Output


def render_all(
    vitrine: Vitrine,
    designs: Iterable[Design],
    templates: Sequence[str] = (),
    *,
    save: Saver,
    output: Optional[Output] = None,
    journal: Optional[Journal] = None,
    concurrency: int = 4,
    max_credits: Optional[int] = None,
    on_progress: Optional[Callable[[Progress], None]] = None,
    stop: Optional[threading.Event] = None,
) -> Summary:
    """Renders every design into every template, twelve templates to a request, and keeps the pictures.

    Mockups that fail are in the summary, and the run goes on; what would fail for all of them stops it.
    `save`, `journal` and `on_progress` are called in the calling thread only.

    Args:
        journal: what is done, so that a run with the same journal goes on where this one ended.
        concurrency: requests at a time; fewer where the service is busy.
        max_credits: the run stops before it would use more.
        stop: once set, nothing new is sent, and the run returns when what is under way has been kept.

    Raises:
        ValueError: before the first request, where two mockups would have one name, or the journal is of a
            run with other pictures.
    """
    options = Options(output or {}, save, journal, concurrency, max_credits, on_progress, stop)
    past = Past(journal.read() if journal is not None else [])
    described = json.dumps(options.output, separators=(",", ":"), sort_keys=True)
    if past.output is not None and past.output != described:
        raise ValueError(f"Expected the output of the journal, {past.output}, but received {described}")
    queue: List[Attempt] = []
    names: Dict[str, Tuple[str, str]] = {}
    done = left = 0
    for design in designs:
        wanted = list(design.templates if design.templates is not None else templates)
        for template in wanted:
            _claim(names, (design.id, template), save.name_of(design.id, template, options.extension))
        missing = [template for template in wanted if not past.is_done(design.id, template)]
        done += len(wanted) - len(missing)
        left += len(missing)
        queue += [Attempt(design, task) for task in past.build_tasks(design.id, missing)]
    if past.output is None and journal is not None:
        journal.append({"type": "run", "output": described})
    return Run(vitrine, options, past, queue, done, done + left).finish()


def _claim(names: Dict[str, Tuple[str, str]], pair: Tuple[str, str], file: str) -> None:
    """Two mockups must differ by their ids, and by their files on systems that know no capitals."""
    for name in (json.dumps(pair), f"file {file.lower()}"):
        if name in names:
            both = " and of ".join(f'"{design}" in {template}' for design, template in (names[name], pair))
            raise ValueError(f"Expected a name of its own for every mockup but {file} comes twice: of {both}")
        names[name] = pair
