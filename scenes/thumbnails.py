#!/usr/bin/env python3
"""Gives every starter template its thumbnail and draws the contact sheet, with the engine and the sample artworks.

    python3 scenes/thumbnails.py [template id ...]      # no id: all of them, and docs/pictures/starter-templates.jpg
"""

import json
import os
import sys

from PIL import Image

from darkroom import bundle
from darkroom.engine import ROOT, render_mockup

TEMPLATES = os.path.join(ROOT, 'templates')
SIDE = 600
SHOWN = {  # which artworks a template wears in the catalogue
    'oak-frame-portrait': ['evening-hills.jpg'],
    'gallery-wall-three': ['cut-out-leaves.jpg', 'morning-lake.jpg', 'petal-pattern.jpg'],
    'white-mug-walnut-table': ['petal-pattern.jpg'],
    'white-mug-marble': ['morning-lake.jpg'],
    'black-frame-landscape': ['morning-lake.jpg'],
    'square-frame-nursery': ['cut-out-leaves.jpg'],
    'square-cushion-sofa': ['petal-pattern.jpg'],
    'large-canvas-bedroom': ['morning-lake.jpg'],
    'poster-with-clips': ['cut-out-leaves.jpg'],
    'white-tee-flat-lay': ['mountain-logo.png'],
    'greeting-card-standing': ['cut-out-leaves.jpg'],
    'canvas-tote-peg-rail': ['mountain-logo.png'],
    'black-tee-wooden-boards': ['cut-out-leaves.jpg'],
    'tablet-green-desk': ['petal-pattern.jpg'],
}
FALLBACK = ['evening-hills.jpg']


def bundles():
    return sorted(name for name in os.listdir(TEMPLATES) if os.path.exists(os.path.join(TEMPLATES, name, 'template.json')))


def mockup(name, width):
    artworks = [os.path.join(TEMPLATES, 'artworks', artwork) for artwork in SHOWN.get(name, FALLBACK)]
    return render_mockup(os.path.join(TEMPLATES, name), artworks, width)


def write_thumbnail(name):
    folder = os.path.join(TEMPLATES, name)
    picture = mockup(name, 1200)
    picture.thumbnail((SIDE, SIDE), Image.LANCZOS)
    picture.save(os.path.join(folder, 'thumbnail.webp'), quality=86, method=6)
    with open(os.path.join(folder, 'template.json')) as file:
        template = json.load(file)
    template['thumbnail'] = 'thumbnail.webp'
    bundle.write_template(folder, template)


def write_contact_sheet(names, columns=4, cell=480, gap=16):
    """Rows of pictures of one height each, edge to edge, as a shop's page shows them."""
    pictures = [mockup(name, 960) for name in names]
    rows, width = [], columns * (cell + gap) - gap
    for start in range(0, len(pictures), columns):
        row = pictures[start:start + columns]
        height = (width - gap * (len(row) - 1)) / sum(p.width / p.height for p in row)
        rows.append([p.resize((round(p.width * height / p.height), round(height)), Image.LANCZOS) for p in row])
    sheet = Image.new('RGB', (width, sum(row[0].height + gap for row in rows) - gap), '#ffffff')
    y = 0
    for row in rows:
        x = 0
        for picture in row:
            sheet.paste(picture, (x, y))
            x += picture.width + gap
        y += row[0].height + gap
    folder = os.path.join(ROOT, 'docs', 'pictures')
    os.makedirs(folder, exist_ok=True)
    sheet.save(os.path.join(folder, 'starter-templates.jpg'), quality=88, optimize=True, progressive=True)


def main():
    chosen = sys.argv[1:] or bundles()
    for name in chosen:
        write_thumbnail(name)
    if not sys.argv[1:]:
        write_contact_sheet(chosen)


if __name__ == '__main__':
    main()
