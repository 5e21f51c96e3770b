"""Mockups by Vitrine's own engine, for thumbnails, the contact sheet and the truth check."""

import os
import subprocess
import tempfile

import numpy as np
from PIL import Image

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def render_mockup(bundle, artworks, width, *options):
    """The bundle with the artworks (paths; one for all frames or one for each), `width` pixels wide, as a PIL picture. `options` of `vitrine render`.

    Needs `npm ci` in the project.
    """
    commands = os.path.join(ROOT, 'node_modules', '.bin')
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'mockup.png')
        subprocess.run([os.path.join(commands, 'node'), os.path.join(ROOT, 'service', 'bin', 'vitrine.js'), 'render', bundle, *artworks,
                        '--output', out, '--width', str(width), '--format', 'png', *options], check=True, stdout=subprocess.DEVNULL)
        with Image.open(out) as picture:
            return Image.fromarray(np.asarray(picture.convert('RGB')))
