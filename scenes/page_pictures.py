#!/usr/bin/env python3
"""Draws the pictures of docs/make-a-template.md out of starter templates, with the engine: `make -C scenes page-pictures`."""

import json
import os
import tempfile

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFont

from darkroom.engine import ROOT, render_mockup

TEMPLATES = os.path.join(ROOT, 'templates')
PICTURES = os.path.join(ROOT, 'docs', 'pictures')
GAP, LINE = 14, 30
INK, ACCENT = '#3b3a37', '#d8452b'


def font(size):
    return ImageFont.truetype('DejaVuSans.ttf', size)  # Debian's blender brings it


def read_template(name):
    folder = os.path.join(TEMPLATES, name)
    with open(os.path.join(folder, 'template.json')) as file:
        return folder, json.load(file)


def mockup(name, artwork, width):
    return render_mockup(os.path.join(TEMPLATES, name), [os.path.join(TEMPLATES, 'artworks', artwork)], width)


def photo(name, width):
    """The scene with blank paper in its frames, as a camera would have seen it."""
    with tempfile.TemporaryDirectory() as folder:
        blank = os.path.join(folder, 'blank.png')
        Image.new('RGB', (64, 64), 'white').save(blank)
        return render_mockup(os.path.join(TEMPLATES, name), [blank], width)


def layer_on_scene(folder, layer, size):
    """A layer of a bundle in its place, black elsewhere; a 16-bit map as 8-bit colors."""
    with Image.open(os.path.join(folder, layer['image'])) as picture:
        x, y, width, height = layer['region']
        placed = Image.new('RGB', size)
        placed.paste(picture.convert('RGB').resize((width, height), Image.LANCZOS), (x, y))
        return placed


def write_sheet(file_name, tiles, columns, side):
    """`tiles`: (label, picture); all pictures of one shape, `side` pixels wide, each under its label."""
    height = round(side * tiles[0][1].height / tiles[0][1].width)
    rows = -(-len(tiles) // columns)
    sheet = Image.new('RGB', (columns * (side + GAP) - GAP, rows * (LINE + height + GAP) - GAP), 'white')
    pen = ImageDraw.Draw(sheet)
    for i, (label, picture) in enumerate(tiles):
        x, y = i % columns * (side + GAP), i // columns * (LINE + height + GAP)
        pen.text((x, y + 4), label, INK, font(17))
        sheet.paste(picture.resize((side, height), Image.LANCZOS), (x, y + LINE))
    sheet.save(os.path.join(PICTURES, file_name), quality=84, optimize=True, progressive=True)


def write_layers():
    """Everything that one frame of a lit template is made of."""
    name = 'white-mug-walnut-table'
    folder, template = read_template(name)
    frame = template['frames'][0]
    scene = Image.open(os.path.join(folder, template['scene'])).convert('RGB')
    x, y, width, height = frame['mask']['region']
    side = round(max(width, height) * 1.5)
    box = (x + width // 2 - side // 2 + 110, y + height // 2 - side // 2, x + width // 2 - side // 2 + 110 + side, y + height // 2 - side // 2 + side)
    mask = layer_on_scene(folder, frame['mask'], scene.size)
    coordinates = ImageChops.multiply(layer_on_scene(folder, frame['uvmap'], scene.size), mask.point(lambda value: 255 * (value > 0)))
    tiles = [('scene: black where artwork goes', scene), ('mask: where artwork is seen', mask),
             ('uvmap: red = across, green = down', coordinates),
             ('shade: light on a white surface', layer_on_scene(folder, frame['lighting']['shade'], scene.size)),
             ('highlights: what the glaze mirrors', layer_on_scene(folder, frame['lighting']['highlights'], scene.size)),
             ('the mockup', mockup(name, 'petal-pattern.jpg', scene.width))]
    write_sheet('template-layers.jpg', [(label, tile.crop(box)) for label, tile in tiles], 3, 330)


def photo_bundle(folder, scene, corners, mask=None):
    frame = {'aspect_ratio': 1, 'corners': corners}
    scene.save(os.path.join(folder, 'scene.png'))
    if mask:
        mask.save(os.path.join(folder, 'mask.png'))
        frame['mask'] = 'mask.png'
    with open(os.path.join(folder, 'template.json'), 'w') as file:
        json.dump({'format': 1, 'id': 'photo', 'name': 'Photo', 'category': 'Wall Art', 'type': 'print', 'render_mode': 'corners',
                   'blending_mode': 'multiply', 'scene': 'scene.png', 'frames': [frame]}, file)


def write_corners():
    """A photo with blank paper and a twig before it: the order of the corners, what the mask does."""
    folder, template = read_template('gallery-wall-three')
    frame = template['frames'][2]
    with Image.open(os.path.join(folder, template['scene'])) as scene:
        size = scene.size
    box = (1270, 850, 1950, 1420)
    paper = photo('gallery-wall-three', size[0]).crop(box)
    mask = layer_on_scene(folder, frame['mask'], size).convert('L')
    corners = [[x - box[0], y - box[1]] for x, y in frame['corners']]
    # a photo's mask is black for what stands in front and for nothing else: the paper's edges are the corners' affair
    center = np.mean(frame['corners'], 0)
    inside = Image.new('L', size)
    ImageDraw.Draw(inside).polygon([tuple(center + .985 * (corner - center)) for corner in np.array(frame['corners'])], fill=255)
    in_front = Image.composite(mask, Image.new('L', size, 255), inside).crop(box)
    artwork = os.path.join(TEMPLATES, 'artworks', 'petal-pattern.jpg')
    with tempfile.TemporaryDirectory() as work:
        photo_bundle(work, paper, corners)
        without_mask = render_mockup(work, [artwork], paper.width)
        photo_bundle(work, paper, corners, in_front)
        with_mask = render_mockup(work, [artwork], paper.width)
    numbered = paper.copy()
    pen = ImageDraw.Draw(numbered)
    pen.polygon([tuple(corner) for corner in corners], outline=ACCENT, width=3)
    for i, (x, y) in enumerate(corners):
        pen.ellipse((x - 20, y - 20, x + 20, y + 20), fill=ACCENT, outline='white', width=3)
        pen.text((x, y), str(i + 1), 'white', font(25), anchor='mm')
    closer = (240, 270, 500, 488)
    write_sheet('template-corners.jpg', [('the corners, in their order', numbered), ('no mask: the leaves are printed over', without_mask.crop(closer)),
                                         ('mask: black where leaves hide it', in_front.convert('RGB').crop(closer)), ('with the mask', with_mask.crop(closer))], 2, 500)


if __name__ == '__main__':
    write_layers()
    write_corners()
