#!/usr/bin/env python3
"""The exporter on scenes that it was not written for: `make -C scenes test`. Needs what make_template.py needs, and `npm ci`.

A scene is exported as a stranger would do it; then the engine's mockup with a test chart is compared with Blender's own render of the same
scene with the chart on the surface. A corner that is half a pixel out, a mirrored map or a mask with holes costs 10 dB and more.
"""

import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

SCENES = os.path.dirname(os.path.abspath(__file__))
WIDTH, SAMPLES = 240, 4
LEAST_PSNR_DB = 34.0  # so few samples leave noise; a finished template is held to 44


class ExporterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='vitrine-exporter-')
        os.environ['VITRINE_SCENES_WORK'] = os.path.join(cls.folder.name, 'work')

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def draw(self, example, *options):
        """Makes the example's .blend with a Blender that knows nothing of us; returns it as a source of make_template.shoot()."""
        blend = os.path.join(self.folder.name, example + '.blend')
        subprocess.run(['blender', '-b', '--factory-startup', '--python-exit-code', '1', '--python', os.path.join(SCENES, 'examples', example + '.py'), '--', blend,
                        *options], check=True, stdout=subprocess.DEVNULL)
        return {'blend': blend, 'facts': {'id': example, 'name': example, 'category': 'Test', 'type': 'print', 'surface_type': None}}

    def export(self, example):
        """The example as a template, compared with Blender's render."""
        import truth
        return truth.measure(self.draw(example), WIDTH, SAMPLES)

    def test_a_flat_picture_in_an_unusual_scene_becomes_corners(self):
        found = self.export('poster')
        self.assertEqual(found.description['render_mode'], 'corners')
        frame = found.description['frames'][0]
        self.assertAlmostEqual(frame['aspect_ratio'], 1.0, places=4)
        corners = np.array(frame['corners'])
        area = .5 * abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, np.roll(corners, -1, 0))))
        self.assertLess(found.covered.sum() / area, .97, 'a ball stands before the picture, and the mask leaves it out')
        self.assertGreater(found.covered.sum() / area, .5)
        self.assertGreater(found.psnr_db, LEAST_PSNR_DB)

    def test_a_curved_banner_becomes_a_map(self):
        found = self.export('banner')
        self.assertEqual(found.description['render_mode'], 'uvmap')
        self.assertGreater(found.psnr_db, LEAST_PSNR_DB)

    def test_a_label_on_a_bottle_that_has_a_uv_layout_of_its_own_becomes_a_map(self):
        found = self.export('bottle')
        self.assertEqual(found.description['render_mode'], 'uvmap')
        self.assertAlmostEqual(found.description['frames'][0]['aspect_ratio'], 26 / 48 * np.pi * 1.22 / 1.4, delta=.04)
        self.assertEqual(found.description['notes'], [])
        self.assertGreater(found.psnr_db, LEAST_PSNR_DB)

    def test_a_map_that_shows_only_a_part_of_the_artwork_is_told(self):
        import make_template
        description, _, _ = make_template.shoot(self.draw('bottle', '--whole-bottle'), 64, 1, label='-whole')
        [note] = description['notes']
        self.assertIn('54 % of the width and 40 % of the height', note)


if __name__ == '__main__':
    sys.path.insert(0, SCENES)
    unittest.main(verbosity=2)
