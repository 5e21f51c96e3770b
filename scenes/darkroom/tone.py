"""Transfer functions, the same as the engine's (docs/reference/colour.md): linear light in, display value 0..1 out."""

import numpy as np

KNEE = .7


def encode_srgb(light):
    light = np.clip(light, 0, 1)
    return np.where(light <= .0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - .055)


def decode_srgb(value):
    return np.where(value <= .04045, value / 12.92, ((value + .055) / 1.055) ** 2.4)


def shoulder(light):
    """Linear up to the knee, then a smooth roll-off towards 1: highlights keep their shape instead of clipping."""
    light = np.maximum(light, 0)
    room = 1 - KNEE
    return np.where(light < KNEE, light, KNEE + room * (1 - np.exp(-np.maximum(light - KNEE, 0) / room)))


def develop(light):
    """Tone `shoulder0.7` of the bundle format."""
    return encode_srgb(shoulder(light))


def undevelop(value):
    """The light that develop() made a display value of; values at white count as 254.5/255, as in the engine."""
    light = decode_srgb(np.minimum(value, 254.5 / 255))
    room = 1 - KNEE
    return np.where(light < KNEE, light, KNEE - room * np.log(np.maximum(1e-4, 1 - (light - KNEE) / room)))


def to_bytes(value):
    return (np.clip(value, 0, 1) * 255 + .5).astype(np.uint8)
