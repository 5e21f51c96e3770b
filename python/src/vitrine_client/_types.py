from typing import Any, Dict, List, Mapping, Optional, Sequence, TypedDict, Union

# The names are those of the service's fields; its reference has the ranges and defaults.
Placement = TypedDict(
    "Placement",
    {
        "fit": str,
        "focus": Sequence[float],
        "scale": float,
        "rotation": float,
        "x": float,
        "y": float,
        "flip": str,
        "repeat": str,
        "background": str,
    },
    total=False,
)


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


class _FrameBase(TypedDict):
    index: int
    aspect_ratio: float


class Frame(_FrameBase, total=False):
    """Frames of one `slot` show one artwork, which may be given by its name."""

    slot: str


class Suggestion(TypedDict):
    name: str
    value: str


class ColorArea(TypedDict):
    name: str
    default: str
    suggestions: List[Suggestion]


class Template(TypedDict):
    """A scene that artwork can be placed into. `aspect_ratio` is width / height of frame 0."""

    id: str
    name: str
    category: str
    frame_count: int
    thumbnail_url: Optional[str]
    aspect_ratio: float
    blending_mode: str
    render_mode: str
    surface_type: Optional[str]
    is_product_template: bool
    frames: List[Frame]
    colors: List[ColorArea]


class Balance(TypedDict):
    """What the account can spend now. A credit is a cent (USD)."""

    balance_cents: int
    balance_dollars: str
    balance_credits: int


class TemplateCount(TypedDict):
    template_id: str
    count: int


class DayCount(TypedDict):
    date: str
    count: int


class Usage(TypedDict):
    """What happened in the days of a period; days are UTC."""

    period: str
    total_requests: int
    successful_requests: int
    failed_requests: int
    credits_consumed: int
    credits_refunded: int
    top_templates: List[TemplateCount]
    requests_by_day: List[DayCount]


class ShownArtwork(TypedDict):
    """How finely a frame's artwork is seen: artwork pixels per pixel of the mockup is the density."""

    frame: int
    width: int
    height: int
    density: float


# A line of a journal.
Entry = Dict[str, Any]
