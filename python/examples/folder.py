"""Renders every picture of a folder into templates: folder.py DESIGNS OUT TEMPLATE...

The same call again goes on where this one ended.
"""

import sys
from pathlib import Path

from vitrine_client import Design, FileJournal, Folder, Progress, Vitrine, render_all


def show(progress: Progress) -> None:
    print(f"{progress.done} of {progress.total}, {progress.failed} failed", file=sys.stderr)


def is_picture(path: Path) -> bool:
    # Names with a dot in front are files that systems leave behind.
    return path.suffix.lower() in {".jpg", ".jpeg", ".png", ".webp", ".gif"} and not path.name.startswith(".")


def main(designs: str, out: str, *templates: str) -> int:
    pictures = sorted(path for path in Path(designs).iterdir() if is_picture(path))
    run = render_all(
        Vitrine(),
        [Design(path.name, path) for path in pictures],
        templates,
        output={"width": 1000},
        save=Folder(out),
        journal=FileJournal(Path(out) / "run.jsonl"),
        on_progress=show,
    )
    for failure in run.failures:
        print(f"{failure.design} in {failure.template}: {failure.error}", file=sys.stderr)
    if run.stopped is not None:
        print(f"Stopped: {run.stopped}", file=sys.stderr)
    print(f"{run.done} mockups in {out}, {run.credits_used} credits")
    return 1 if run.failures or run.stopped is not None else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
