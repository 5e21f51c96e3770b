#!/usr/bin/env python3
"""Truth check of colors: the engine's dyed mockup against Blender's own render of the same scene with that material color.

    python3 scenes/truth_colors.py tee_flat_lay     # renders what is missing, then rewrites docs/fidelity-templates.md

As truth.py, but compared where the color area covers the pixel fully, its frames with clear artwork included, for five colors. What light the dyed cloth sends to itself and to what stands
around is left out of the mockup: that is the difference that is measured.
"""

import json
import os
import sys

import cv2
import numpy as np
from PIL import Image

import make_template
import truth
from darkroom import bundle
from darkroom.engine import render_mockup
from darkroom.tone import develop, to_bytes

WIDTH, SAMPLES = 400, 10
COLORS = {'white': '#ffffff', 'black': '#1d1d20', 'red': '#b3202c', 'navy': '#1f2a44', 'heather grey': '#b4b5b8'}


def check(set_name):
    """{color name: PSNR in dB, mean color difference} of one set."""
    source = {'set': set_name}
    description, folder, strips = make_template.shoot(source, WIDTH, SAMPLES, label='-check')
    neutral = os.path.join(folder, 'bundle')
    make_template.develop(description, folder, strips, neutral, grain=False)
    make_template.add_dark_light(source, description, WIDTH, SAMPLES, neutral, grain=False)
    clear = os.path.join(folder, 'clear.png')
    Image.new('RGBA', (8, 8), (255, 255, 255, 0)).save(clear)
    area = description['colors'][0]['name']
    results = {}
    x0, y0, x1, y1 = description['covered_box']
    for name, value in COLORS.items():
        _, _, dyed_strips = make_template.shoot(source, WIDTH, SAMPLES, label='-dyed-' + value[1:], dyes={area: value}, only_covered=True, with_coverage=False)
        # denoised with the neutral render's coverage: the same filter, the same edges
        lights, coverages = make_template.develop_light(description, folder, dyed_strips, only_covered=True)
        dyed = to_bytes(develop(sum(clean for clean, _ in lights.values())))
        mockup = np.asarray(render_mockup(neutral, [clear], 2 * WIDTH, '--color', '%s=%s' % (area, value)))
        mockup = truth.with_blenders_pixels(mockup)[y0:y1, x0:x1]
        covered = bundle.clean_coverage(coverages['Color ' + area])
        for frame in description['frames']:
            if frame.get('surface_color'):  # white ink under the print: no dye shows there in Blender's render
                covered = covered - bundle.clean_coverage(coverages[frame['name']])
        inside = cv2.erode((covered > .99).astype(np.uint8), np.ones((5, 5))) > 0
        psnr_db, delta_e, _ = truth.compare(dyed, mockup, inside)
        results[name] = {'psnr_db': round(float(psnr_db), 1), 'delta_e_mean': round(delta_e, 2)}
        Image.fromarray(np.hstack([dyed, mockup])).save(os.path.join(folder, 'dyed-%s.png' % value[1:]))
        print('%-26s %-14s %.1f dB, dE %.2f mean' % (description['id'], name, psnr_db, delta_e), flush=True)
    return description['id'], results


def main():
    for set_name in sys.argv[1:]:
        name, result = check(set_name)
        results = {**truth.read_results(truth.COLOR_RESULTS), name: result}
        with open(truth.COLOR_RESULTS, 'w') as file:
            json.dump(results, file, indent=2, sort_keys=True)
            file.write('\n')
    truth.write_page(truth.read_results(truth.RESULTS))


if __name__ == '__main__':
    main()
