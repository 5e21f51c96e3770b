"""Mockups by Vitrine's own engine, for thumbnails, the contact sheet and the truth check."""

import os
import subprocess
import tempfile

import numpy as np
from PIL import Image

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def render_mockup(bundle, artworks, width):
    """The bundle with the artworks (paths) in its frames, `width` pixels wide, as a PIL picture. Needs `npm ci` in the project."""
    node = os.path.join(ROOT, 'node_modules', '.bin', 'node')
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'mockup.png')
        subprocess.run([node, os.path.join(ROOT, 'scenes', 'render-mockup.ts'), bundle, out, str(width), *artworks], check=True, cwd=ROOT)
        with Image.open(out) as picture:
            return Image.fromarray(np.asarray(picture.convert('RGB')))
