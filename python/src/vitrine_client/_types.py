from typing import Any, Dict, Mapping, TypedDict, Union

from ._contract_types import Placement


class DesignOutput(TypedDict, total=False):
    """What the pictures of one design are like."""

    placement: Placement
    placements: Mapping[Union[int, str], Placement]
    colors: Mapping[str, str]


class Output(DesignOutput, total=False):
    """What the finished pictures are like."""

    format: str
    quality: int
    width: int


# A line of a journal.
Entry = Dict[str, Any]
