#!/usr/bin/env python3
"""Renders a set and writes its template bundle.

    python3 scenes/make_template.py oak_frame_portrait --samples 8
    python3 scenes/make_template.py oak_frame_portrait --width 600 --out /tmp/preview

Needs blender 3.4 and python3 with numpy, scipy, cv2 and PIL (apt-get install blender python3-numpy python3-scipy python3-opencv
python3-pil) and gcc. Renders go strip by strip to a work folder ($VITRINE_SCENES_WORK, else /var/tmp/vitrine-scenes); what is there
is not rendered again, so a run can be stopped and started at any time.
"""

import argparse
import json
import os
import subprocess
import sys
import time

import numpy as np

SCENES = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, SCENES)

from darkroom import bundle, denoise, exr  # noqa: E402

WORK = os.environ.get('VITRINE_SCENES_WORK', '/var/tmp/vitrine-scenes')
COVERAGE_SAMPLES = 64
STRIP_PIXELS = 1.6e6


def run_blender(job_file, threads, log_path):
    """Runs shoot.py at low priority; its output goes to a log."""
    with open(log_path, 'a') as log:
        command = ['nice', '-n', '19', 'blender', '-b', '-t', str(threads), '--factory-startup', '--python-exit-code', '1',
                   '--python', os.path.join(SCENES, 'shoot.py'), '--', job_file]
        if subprocess.run(command, stdout=log, stderr=log).returncode:
            sys.exit('Blender failed; see ' + log_path)


def shoot(set_name, width, samples, threads=1, artworks=None, label=''):
    """Renders what is missing; returns (description, folder, strip names of both seeds)."""
    folder = os.path.join(WORK, set_name + label, '%dpx-%dspp' % (width, samples))
    os.makedirs(folder, exist_ok=True)
    path = lambda name: os.path.join(folder, name)  # noqa: E731
    job = {'set': set_name, 'width': width, 'threads': threads, 'artworks': artworks or {}, 'description': path('description.json'), 'jobs': []}

    def run():
        with open(path('job.json'), 'w') as file:
            json.dump(job, file)
        run_blender(path('job.json'), threads, path('blender.log'))
        with open(path('description.json')) as file:
            return json.load(file)

    job['jobs'] = [{'kind': 'map', 'path': path('map.exr')}]
    description = run()
    width, height = description['width'], description['height']
    count = max(1, round(width * height / STRIP_PIXELS))
    bounds = [round(i * height / count) for i in range(count + 1)]
    strips = {seed: [path('seed%d-%02d.exr' % (seed, i)) for i in range(count)] for seed in (1, 2)}
    x0, y0, x1, y1 = description['covered_box'] = covered_box(exr.read_layers(path('map.exr')), description)
    job['jobs'] = [{'kind': 'beauty', 'seed': seed, 'samples': samples, 'rows': bounds[i:i + 2], 'path': strips[seed][i]}
                   for i in range(count) for seed in (1, 2)]
    job['jobs'].append({'kind': 'coverage', 'samples': COVERAGE_SAMPLES, 'rows': [y0, y1], 'columns': [x0, x1], 'path': path('coverage.exr')})
    run()
    return description, folder, strips


def covered_box(maps, description):
    """(x0, y0, x1, y1) around all frames, with a margin, from the half-size map."""
    covered = sum(maps[frame['name']][..., 2] for frame in description['frames']) > 0
    rows, columns = covered.any(1).nonzero()[0], covered.any(0).nonzero()[0]
    return (max(0, 2 * int(columns[0]) - 24), max(0, 2 * int(rows[0]) - 24),
            min(description['width'], 2 * int(columns[-1]) + 26), min(description['height'], 2 * int(rows[-1]) + 26))


def develop(description, folder, strips, out):
    """Denoises and writes the bundle."""
    first, second = exr.read_strips(strips[1]), exr.read_strips(strips[2])
    coverage = exr.read_layers(os.path.join(folder, 'coverage.exr'))
    maps = exr.read_layers(os.path.join(folder, 'map.exr'))
    x0, y0, x1, y1 = description['covered_box']
    coverages = {}
    for name in (frame['name'] for frame in description['frames']):
        coverages[name] = np.zeros((description['height'], description['width']), np.float32)
        coverages[name][y0:y1, x0:x1] = coverage[name][..., 2]
    covered = sum(bundle.clean_coverage(plane) for plane in coverages.values())
    lights = denoise.denoise(first, second, covered)
    return bundle.write_bundle(out, description, lights, coverages, maps)


SOURCES = """# {name}

Made for Vitrine from `scenes/sets/{set}.py`: modelled by script, path-traced with Blender {blender}, {width} x {height} px,
2 x {samples} samples per pixel. Nothing in it comes from anybody else: no photographs, scans, textures or models.

    python3 scenes/make_template.py {set} --width {width} --samples {samples}

Licence: [CC0 1.0](https://creativecommons.org/publicdomain/zero/1.0/). Use the bundle and what is rendered with it for anything.
The artwork in `thumbnail.webp` is from `templates/artworks/` (ours as well, CC0).
"""


def write_sources(out, set_name, samples, description):
    with open(os.path.join(out, 'SOURCES.md'), 'w') as file:
        file.write(SOURCES.format(set=set_name, blender='3.4', samples=samples, **description))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('set', help='file name in scenes/sets, without .py')
    parser.add_argument('--width', type=int, default=2400, help='width of the scene in pixels (default 2400)')
    parser.add_argument('--samples', type=int, default=8, help='samples per pixel of each of the two renders (default 8)')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--out', help='bundle folder (default templates/<id>)')
    options = parser.parse_args()
    started = time.time()
    description, folder, strips = shoot(options.set, options.width, options.samples, options.threads)
    rendered = time.time()
    out = options.out or os.path.join(os.path.dirname(SCENES), 'templates', description['id'])
    develop(description, folder, strips, out)
    write_sources(out, options.set, options.samples, description)
    size = sum(os.path.getsize(os.path.join(out, name)) for name in os.listdir(out))
    print('%s: %d x %d, rendered in %.0f s, developed in %.0f s, %.2f MB' % (
        out, description['width'], description['height'], rendered - started, time.time() - rendered, size / 1e6))


if __name__ == '__main__':
    main()
