#!/usr/bin/env python3
"""The README's picture of a shirt in six colors with a turned, scaled logo, by the engine: `python3 scenes/color_picture.py`."""

import os
import tempfile

from PIL import Image, ImageDraw

from darkroom.engine import ROOT, render_mockup

COLORS = ('#ffffff', '#1f2a44', '#b3202c', '#b4b5b8', '#224534', '#eec6cb')
LOGO = os.path.join(ROOT, 'templates', 'artworks', 'mountain-logo.png')
PAPER = (247, 241, 228, 255)
PLACEMENT = ('--fit', 'contain', '--scale', '0.42', '--rotation', '-8', '--x', '0.68', '--y', '0.22')
SIDE, COLUMNS = 480, 3


def badge(path):
    """The sample logo on a round patch of paper, which is seen on every color."""
    with Image.open(LOGO) as logo:
        patch = Image.new('RGBA', logo.size)
        ImageDraw.Draw(patch).ellipse((0, 0, logo.width - 1, logo.height - 1), fill=PAPER)
        small = logo.resize((logo.width * 9 // 10, logo.height * 9 // 10), Image.LANCZOS)
        patch.alpha_composite(small, (logo.width // 20, logo.height // 20))
    patch.save(path)


def main():
    sheet = Image.new('RGB', (SIDE * COLUMNS, SIDE * len(COLORS) // COLUMNS))
    shirt = os.path.join(ROOT, 'templates', 'white-tee-flat-lay')
    with tempfile.TemporaryDirectory() as folder:
        artwork = os.path.join(folder, 'badge.png')
        badge(artwork)
        for i, color in enumerate(COLORS):
            mockup = render_mockup(shirt, [artwork], SIDE, *PLACEMENT, '--color', 'shirt=' + color)
            sheet.paste(mockup, (i % COLUMNS * SIDE, i // COLUMNS * SIDE))
    sheet.save(os.path.join(ROOT, 'docs', 'pictures', 'shirt-colors.jpg'), quality=90)


if __name__ == '__main__':
    main()
