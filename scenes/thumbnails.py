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
SHOWN = {  # which artworks a template shows in the catalogue; in the contact sheet's order, so that no two neighbours look alike
    'oak-frame-portrait': ['evening-hills.jpg'],
    'white-mug-walnut-table': ['petal-pattern.jpg'],
    'black-frame-landscape': ['morning-lake.jpg'],
    'white-tee-flat-lay': ['mountain-logo.png'],
    'poster-with-clips': ['cut-out-leaves.jpg'],
    'square-frame-nursery': ['cut-out-leaves.jpg'],
    'canvas-tote-peg-rail': ['mountain-logo.png'],
    'large-canvas-bedroom': ['morning-lake.jpg'],
    'greeting-card-standing': ['cut-out-leaves.jpg'],
    'white-mug-marble': ['morning-lake.jpg'],
    'gallery-wall-three': ['cut-out-leaves.jpg', 'morning-lake.jpg', 'petal-pattern.jpg'],
    'square-cushion-sofa': ['petal-pattern.jpg'],
    'black-tee-wooden-boards': ['cut-out-leaves.jpg'],
    'tablet-green-desk': ['petal-pattern.jpg'],
    'phone-case-stone-block': ['cut-out-leaves.jpg'],
    'hoodie-flat-lay': ['mountain-logo.png'],
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


def break_rows(ratios, wanted):
    """Rows of consecutive pictures (as ranges) whose sums of width / height come nearest to `wanted`, so that rows are about equally high."""
    best = [(0.0, 0)]  # for the first n pictures: the sum of squared misses, and where the last row begins
    for end in range(1, len(ratios) + 1):
        best.append(min((best[start][0] + (sum(ratios[start:end]) / wanted - 1) ** 2, start) for start in range(end)))
    rows, end = [], len(ratios)
    while end:
        rows.insert(0, range(best[end][1], end))
        end = best[end][1]
    return rows


def write_contact_sheet(names, width=1968, gap=16, row_ratio=4.9):
    """Rows of thumbnails of one height each, edge to edge, as a shop's page shows them; about `row_ratio` times as wide as high."""
    catalogue = list(SHOWN)
    names = sorted(names, key=lambda name: catalogue.index(name) if name in SHOWN else len(catalogue))
    pictures = [Image.open(os.path.join(TEMPLATES, name, 'thumbnail.webp')).convert('RGB') for name in names]
    rows = []
    for places in break_rows([picture.width / picture.height for picture in pictures], row_ratio):
        row = [pictures[i] for i in places]
        height = round((width - gap * (len(row) - 1)) / sum(p.width / p.height for p in row))
        resized = [p.resize((round(p.width * height / p.height), height), Image.LANCZOS) for p in row[:-1]]
        rest = width - sum(p.width + gap for p in resized)  # what rounding left over is the last one's
        rows.append(resized + [row[-1].resize((rest, height), Image.LANCZOS)])
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
