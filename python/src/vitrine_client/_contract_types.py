# Written by scripts/generate-reference.ts from the schemas of contract/.
from typing import List, Optional, Sequence, TypedDict

# File extensions of each format, without the dot; files are written with the first.
ENDINGS = {
    "jpeg": ("jpg", "jpeg", "jpe", "jfif",),
    "png": ("png",),
}


class Placement(TypedDict, total=False):
    """Where artwork lies in its frame. An unknown field is an error, unlike those of the request."""

    fit: str
    focus: Sequence[float]
    scale: float
    rotation: float
    x: float
    y: float
    flip: str
    repeat: str
    background: str


class _FrameBase(TypedDict):
    index: int
    aspect_ratio: float


class Frame(_FrameBase, total=False):
    slot: str


class Suggestion(TypedDict):
    name: str
    value: str


class ColorArea(TypedDict):
    name: str
    default: str
    suggestions: List[Suggestion]


class Template(TypedDict):
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
    period: str
    total_requests: int
    successful_requests: int
    failed_requests: int
    credits_consumed: int
    credits_refunded: int
    top_templates: List[TemplateCount]
    requests_by_day: List[DayCount]


class ShownArtwork(TypedDict):
    frame: int
    width: int
    height: int
    density: float
