"""Reads multilayer scanline OpenEXR files (uncompressed or ZIP, half or float) as Blender writes them.

Neither cv2 nor PIL reads more than one layer. Format: https://openexr.com/en/latest/OpenEXRFileLayout.html
"""

import struct
import zlib

import numpy as np

PIXEL_TYPES = {0: ('<u4', 4), 1: ('<f2', 2), 2: ('<f4', 4)}
LINES_PER_BLOCK = {0: 1, 2: 1, 3: 16}  # NONE, ZIPS, ZIP


def read_channels(path):
    """All channels of a file: {name: float32 array of height x width}."""
    with open(path, 'rb') as file:
        data = file.read()
    position = 8
    attributes = {}

    def zero_terminated(start):
        end = data.index(b'\0', start)
        return data[start:end].decode(), end + 1

    while True:
        name, position = zero_terminated(position)
        if name == '':
            break
        _, position = zero_terminated(position)
        size = struct.unpack('<i', data[position:position + 4])[0]
        attributes[name] = data[position + 4:position + 4 + size]
        position += 4 + size

    channels = []
    table, cursor = attributes['channels'], 0
    while table[cursor] != 0:
        end = table.index(b'\0', cursor)
        kind = struct.unpack('<i', table[end + 1:end + 5])[0]
        channels.append((table[cursor:end].decode(), *PIXEL_TYPES[kind]))
        cursor = end + 17

    x0, y0, x1, y1 = struct.unpack('<4i', attributes['dataWindow'])
    width, height = x1 - x0 + 1, y1 - y0 + 1
    compression = attributes['compression'][0]
    lines = LINES_PER_BLOCK[compression]
    block_count = (height + lines - 1) // lines
    offsets = struct.unpack('<%dQ' % block_count, data[position:position + 8 * block_count])
    row_bytes = sum(width * size for _, _, size in channels)
    pixels = {name: np.empty((height, width), np.float32) for name, _, _ in channels}
    for offset in offsets:
        y, packed_bytes = struct.unpack('<ii', data[offset:offset + 8])
        y -= y0
        block = data[offset + 8:offset + 8 + packed_bytes]
        rows = min(lines, height - y)
        if compression and packed_bytes < row_bytes * rows:
            block = undo_zip_predictor(zlib.decompress(block))
        for row in range(rows):
            cursor = row * row_bytes
            for name, dtype, size in channels:
                pixels[name][y + row] = np.frombuffer(block, dtype, width, cursor)
                cursor += width * size
    return pixels


def undo_zip_predictor(raw):
    """OpenEXR stores byte differences, low bytes first, then high bytes."""
    differences = np.frombuffer(raw, np.uint8).astype(np.int64)
    differences[1:] -= 128
    ordered = (np.cumsum(differences) & 255).astype(np.uint8)
    half = (len(ordered) + 1) // 2
    interleaved = np.empty_like(ordered)
    interleaved[0::2] = ordered[:half]
    interleaved[1::2] = ordered[half:]
    return interleaved.tobytes()


BRIGHTEST = 500.0  # light that no picture needs more of; half floats run over to infinity inside a lampshade


def read_layers(path):
    """The layers of a file: {pass name: height x width x channels, or height x width for a single channel}."""
    grouped = {}
    for name, plane in read_channels(path).items():
        plane = np.nan_to_num(plane, copy=False, posinf=BRIGHTEST, neginf=0)
        layer, channel = name.rsplit('.', 1)
        grouped.setdefault(layer.split('.', 1)[-1], {})[channel] = plane
    layers = {}
    for layer, planes in grouped.items():
        for order in ('RGB', 'XYZ'):
            if set(order) <= set(planes):
                layers[layer] = np.dstack([planes[channel] for channel in order])
                break
        else:
            layers[layer] = next(iter(planes.values()))
    return layers


def read_strips(paths):
    """Strips of one picture, top first, joined."""
    strips = [read_layers(path) for path in paths]
    return {name: np.concatenate([strip[name] for strip in strips]) for name in strips[0]}
