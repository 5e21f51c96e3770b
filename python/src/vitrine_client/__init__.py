"""Makes mockups with a Vitrine service."""

from ._artwork import Artwork, ArtworkSource
from ._bulk import render_all
from ._bulk_types import Design, Failure, Journal, Progress, Saver, Summary
from ._client import Vitrine
from ._contract_types import Balance, Placement, Template, Usage
from ._errors import VitrineError
from ._files import FileJournal, Folder
from ._mockup import Batch, BatchMockup, Mockup
from ._types import DesignOutput, Output

__all__ = [
    "Artwork",
    "ArtworkSource",
    "Balance",
    "Batch",
    "BatchMockup",
    "Design",
    "DesignOutput",
    "Failure",
    "FileJournal",
    "Folder",
    "Journal",
    "Mockup",
    "Output",
    "Placement",
    "Progress",
    "Saver",
    "Summary",
    "Template",
    "Usage",
    "Vitrine",
    "VitrineError",
    "render_all",
]
