#!/usr/bin/env python3
"""Truth check: the engine's mockup against Blender's own render of the same scene with the same artwork on the surface.

    python3 scenes/truth.py oak_frame_portrait mug_walnut_table ...    # renders what is missing, then rewrites the table
    python3 scenes/truth.py                                            # rewrites docs/fidelity-templates.md from what is on disk

Each set is rendered twice at a small size, once neutral (and exported to a bundle as every template is) and once with a test chart.
Both are denoised the same way and neither gets film grain. They are compared where a frame covers the pixel fully, in display values after a blur of 2 px: the
blur takes away what noise is left, which differs between the two, so that the lighting model is measured and not the dice. The mockup
is rendered at double size and reduced with Blender's pixel filter, so that the filters of the two are not measured either.
"""

import json
import os
import sys
from typing import NamedTuple

import cv2
import numpy as np
from PIL import Image

import make_template
from darkroom import bundle
from darkroom.engine import ROOT, render_mockup
from darkroom.tone import develop, to_bytes, undevelop

WIDTH, SAMPLES = 640, 12
LEAST_PSNR_DB, GREATEST_DELTA_E = 44.0, .6
RESULTS = os.path.join(ROOT, 'scenes', 'fidelity.json')
COLOR_RESULTS = os.path.join(ROOT, 'scenes', 'fidelity-colors.json')
LEAST_COLOR_PSNR_DB = 42.0
PAGE = os.path.join(ROOT, 'docs', 'fidelity-templates.md')
PICTURES = os.path.join(ROOT, 'docs', 'pictures')


def test_chart(width, height, seed, path):
    """Artwork that is hard to light: white, greys, black, saturated patches, soft ramps, fine text."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    chart = np.array([250, 236, 214], np.float32) * (1 - y / height)[..., None] + np.array([232, 120, 86], np.float32) * (y / height)[..., None]
    cv2.circle(chart, (int(width * .62), int(height * .34)), int(min(width, height) * .2), (214, 52, 60), -1, cv2.LINE_AA)
    columns = np.arange(width)
    for k, (color, level) in enumerate((((120, 150, 160), .55), ((60, 105, 120), .66), ((22, 60, 84), .78), ((10, 22, 38), .9))):
        ridge = height * (level + .05 * np.sin(columns / width * 6 + k * 1.7 + seed) + .03 * np.sin(columns / width * 17 + k))
        outline = np.vstack([np.c_[columns, ridge], [[width, height], [0, height]]]).astype(np.int32)
        cv2.fillPoly(chart, [outline], color, cv2.LINE_AA)
    patches = ((255, 255, 255), (200, 200, 200), (128, 128, 128), (64, 64, 64), (0, 0, 0), (255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 255, 255),
               (255, 0, 255), (255, 255, 0), (115, 82, 68))
    side = width // 16
    for i, color in enumerate(patches):
        left, top = int(width * .06 + i * side * 1.18), int(height * .05)
        cv2.rectangle(chart, (left, top), (left + side, top + side), color, -1)
    cv2.putText(chart, 'VITRINE', (int(width * .08), int(height * .25)), cv2.FONT_HERSHEY_TRIPLEX, width / 420, (20, 30, 50), max(2, width // 160), cv2.LINE_AA)
    Image.fromarray(np.clip(chart, 0, 255).astype(np.uint8)).save(path)


def charts_for(description, folder):
    charts = {}
    for i, frame in enumerate(description['frames']):
        ratio = frame['aspect_ratio']
        width, height = (1400, round(1400 / ratio)) if ratio >= 1 else (round(1400 * ratio), 1400)
        charts[frame['name']] = os.path.join(folder, 'chart-%d.png' % i)
        test_chart(width, height, i, charts[frame['name']])
    return charts


def with_blenders_pixels(mockup):
    """A mockup of double size reduced as Blender's pixel filter does it (Blackman-Harris, 1.5 px: about a Gaussian of .42 px), in light.

    The engine's pixels are sharper than that. Compared as they are, every edge of the chart would count as wrong light.
    """
    light = undevelop(mockup.astype(np.float32) / 255).astype(np.float32)
    light = cv2.GaussianBlur(light, (0, 0), .53)  # together with the mean of 2 x 2 pixels and the engine's own filter
    height, width = light.shape[:2]
    return to_bytes(develop(cv2.resize(light, (width // 2, height // 2), interpolation=cv2.INTER_AREA)))


def compare(truth, mockup, inside):
    """(PSNR in dB, mean and 95th percentile of the colour difference CIE76) of low-passed display values."""
    truth, mockup = (cv2.GaussianBlur(p.astype(np.float32) / 255, (0, 0), 2) for p in (truth, mockup))
    error = ((truth - mockup)[inside] ** 2).mean()
    lab_truth, lab_mockup = (cv2.cvtColor(p, cv2.COLOR_RGB2LAB)[inside] for p in (truth, mockup))
    delta = np.sqrt(((lab_truth - lab_mockup) ** 2).sum(1))
    return 10 * np.log10(1 / error), float(delta.mean()), float(np.percentile(delta, 95))


class Comparison(NamedTuple):
    """Blender's picture and the engine's (bytes), where they were compared, and how far they are apart."""

    description: dict
    truth: np.ndarray
    mockup: np.ndarray
    covered: np.ndarray
    psnr_db: float
    delta_e_mean: float
    delta_e_p95: float


def measure(source, width=WIDTH, samples=SAMPLES):
    """Renders a source of make_template.shoot() neutral and with a test chart, and compares the chart's render with the engine's mockup."""
    description, folder, strips = make_template.shoot(source, width, samples, label='-check')
    charts = charts_for(description, folder)
    _, chart_folder, chart_strips = make_template.shoot(source, width, samples, artworks=charts, label='-chart', with_coverage=False)
    neutral = os.path.join(folder, 'bundle')
    make_template.develop(description, folder, strips, neutral, grain=False)
    # the truth is denoised with the neutral render's coverage: the same filter, the same edges
    lights, coverages = make_template.develop_light(description, folder, chart_strips)
    truth = to_bytes(develop(sum(clean for clean, _ in lights.values())))
    mockup = with_blenders_pixels(np.asarray(render_mockup(neutral, list(charts.values()), 2 * width)))
    # the frames alone: a color area shows the scene's own pixels, where two renders differ by their noise and nothing else
    covered = sum(bundle.clean_coverage(coverages[frame['name']]) for frame in description['frames'])
    inside = cv2.erode((covered > .99).astype(np.uint8), np.ones((5, 5))) > 0
    return Comparison(description, truth, mockup, covered, *compare(truth, mockup, inside))


def check(set_name):
    found = measure({'set': set_name})
    name, (truth, mockup) = found.description['id'], (found.truth, found.mockup)
    x, y, w, h = cv2.boundingRect((found.covered > 0).astype(np.uint8))
    x0, y0, x1, y1 = max(0, x - 20), max(0, y - 20), min(WIDTH, x + w + 20), min(truth.shape[0], y + h + 20)
    difference = np.clip(128 + 4 * (mockup.astype(np.int32) - truth), 0, 255).astype(np.uint8)
    strip = np.hstack([p[y0:y1, x0:x1] for p in (truth, mockup, difference)])
    os.makedirs(PICTURES, exist_ok=True)
    picture = 'fidelity-%s.jpg' % name
    Image.fromarray(strip).save(os.path.join(PICTURES, picture), quality=88)
    print('%-26s %.1f dB, dE %.2f mean, %.2f p95' % (name, found.psnr_db, found.delta_e_mean, found.delta_e_p95), flush=True)
    return name, {'psnr_db': round(float(found.psnr_db), 1), 'delta_e_mean': round(found.delta_e_mean, 2), 'delta_e_p95': round(found.delta_e_p95, 2),
                  'picture': picture}


def write_page(results):
    colors = read_results(COLOR_RESULTS)
    names = list(dict.fromkeys(color for found in colors.values() for color in found))
    heads = ['template', 'PSNR', 'mean dE', 'p95 dE', *names]
    lines = ['# How true the starter templates are', '',
             'Written by `scenes/truth.py`. The engine\'s mockup against Blender\'s own render of the same scene with a test chart on the surface, at %d px and' % WIDTH,
             '2 x %d samples per pixel, inside the frames, low-passed (2 px) so that the lighting is measured and not the noise. The mockup is rendered at' % SAMPLES,
             'double size and reduced with Blender\'s pixel filter in linear light, so that filters are not measured either. A template\'s name leads to its',
             'picture: Blender, the engine, four times the difference. The bar is %.0f dB and a mean color difference (CIE76) of %.1f.' % (LEAST_PSNR_DB, GREATEST_DELTA_E), '',
             'Columns of colors have PSNR and mean dE of the mockup in another color (`scenes/truth_colors.py`), inside the color area and its frames, which hold',
             'clear artwork. Their bar is %.0f dB. What misses its bar is bold.' % LEAST_COLOR_PSNR_DB, '',
             '| %s |' % ' | '.join(heads), '|%s' % ('---|' * len(heads))]
    for name, result in sorted(results.items()):
        holds = result['psnr_db'] >= LEAST_PSNR_DB and result['delta_e_mean'] <= GREATEST_DELTA_E
        cells = ['[%s](pictures/%s)' % (name, result['picture']), marked('%.1f' % result['psnr_db'], holds),
                 '%.2f' % result['delta_e_mean'], '%.2f' % result['delta_e_p95']]
        cells += [color_cell(colors.get(name, {}).get(color)) for color in names]
        lines.append('| %s |' % ' | '.join(cells))
    with open(PAGE, 'w') as file:
        file.write('\n'.join(lines) + '\n')


def color_cell(result):
    """A figure of truth_colors.py."""
    if result is None:
        return ''
    return marked('%.1f, %.2f' % (result['psnr_db'], result['delta_e_mean']), result['psnr_db'] >= LEAST_COLOR_PSNR_DB)


def marked(text, holds):
    return text if holds else '**%s**' % text


def read_results(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return json.load(file)


def main():
    for set_name in sys.argv[1:]:
        name, result = check(set_name)
        results = {**read_results(RESULTS), name: result}  # read again: another check may have written meanwhile
        with open(RESULTS, 'w') as file:
            json.dump(results, file, indent=2, sort_keys=True)
            file.write('\n')
    write_page(read_results(RESULTS))


if __name__ == '__main__':
    main()
