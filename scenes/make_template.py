#!/usr/bin/env python3
"""Renders a set and writes its template bundle.

    python3 scenes/make_template.py oak_frame_portrait --samples 8
    python3 scenes/make_template.py oak_frame_portrait --width 600 --out /tmp/preview
    python3 scenes/make_template.py --blend my-scene.blend --id my-poster --name "My poster" --category "Wall Art" --out my-poster

Needs blender 3.4 and python3 with numpy, scipy, cv2 and PIL (apt-get install blender python3-numpy python3-scipy python3-opencv
python3-pil) and gcc. Renders go strip by strip to a work folder ($VITRINE_SCENES_WORK, else /var/tmp/vitrine-scenes); what is there
is not rendered again, so a run can be stopped and started at any time.
"""

import argparse
import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
import time

try:
    import cv2  # noqa: F401  (the first that is missing where `python3` is not Debian's)
    import numpy as np
    import PIL  # noqa: F401
    import scipy  # noqa: F401
except ImportError as error:
    sys.exit('This Python (%s) has no module "%s". With the packages of docs/make-a-template.md installed, Debian\'s own has it: /usr/bin/python3.' % (sys.executable, error.name))

SCENES = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, SCENES)

from darkroom import bundle, denoise, exr  # noqa: E402

TEMPLATES = os.path.join(os.path.dirname(SCENES), 'templates')
WORK = os.environ.get('VITRINE_SCENES_WORK', '/var/tmp/vitrine-scenes')
COVERAGE_SAMPLES = 64
DARK_SAMPLES = 5  # at most, of the light on dark color areas in finished templates: its noise is hardly seen at their size
STRIP_PIXELS = 1.6e6


def run_blender(job_file, threads, log_path):
    """Runs shoot.py at low priority; its output goes to a log."""
    with open(log_path, 'a') as log:
        command = ['nice', '-n', '19', 'blender', '-b', '-t', str(threads), '--factory-startup', '--python-exit-code', '1',
                   '--python', os.path.join(SCENES, 'shoot.py'), '--', job_file]
        code = subprocess.run(command, stdout=log, stderr=log).returncode
    if code:
        with open(log_path) as log:
            said = [line[len('VITRINE ERROR '):].strip() for line in log if line.startswith('VITRINE ERROR ')]
        sys.exit(said[-1] if said else 'Blender failed; see ' + log_path)


def shoot(source, width, samples, threads=1, artworks=None, label='', dyes=None, only_covered=False, with_coverage=True):
    """Renders what is missing; returns (description, folder, strip names of both seeds).

    `source` is {'set': name} or {'blend': path, 'facts': {...}}; `label` keeps renders with different artworks or dyes apart.
    With `only_covered` light is rendered where frames and color areas are, and nowhere else; without `with_coverage` the coverage is
    not rendered: no artwork and no dye changes it.
    """
    name = source.get('set') or source['facts']['id']
    folder = os.path.join(WORK, name + label, '%dpx-%dspp' % (width, samples))
    os.makedirs(folder, exist_ok=True)
    if 'blend' in source:
        forget_older_scene(source['blend'], folder)
    job = {**source, 'width': width, 'threads': threads, 'artworks': artworks or {}, 'dyes': dyes or {}, 'description': os.path.join(folder, 'description.json')}

    def path(file_name):
        return os.path.join(folder, file_name)

    def run():
        if not all(os.path.exists(file_name) for file_name in (job['description'], *(part['path'] for part in job['jobs']))):
            with open(path('job.json'), 'w') as file:
                json.dump(job, file)
            run_blender(path('job.json'), threads, path('blender.log'))
        with open(path('description.json')) as file:
            return json.load(file)

    job['jobs'] = [{'kind': 'map', 'path': path('map.exr')}]
    description = run()
    width, height = description['width'], description['height']
    x0, y0, x1, y1 = description['covered_box'] = covered_box(exr.read_layers(path('map.exr')), description)
    left, top, right, bottom = (x0, y0, x1, y1) if only_covered else (0, 0, width, height)
    count = max(1, round((right - left) * (bottom - top) / STRIP_PIXELS))
    bounds = [top + round(i * (bottom - top) / count) for i in range(count + 1)]
    part = 'covered-' if only_covered else ''
    strips = {seed: [path('%sseed%d-%02d.exr' % (part, seed, i)) for i in range(count)] for seed in (1, 2)}
    job['jobs'] = [{'kind': 'beauty', 'seed': seed, 'samples': samples, 'rows': bounds[i:i + 2], 'columns': [left, right], 'path': strips[seed][i]}
                   for i in range(count) for seed in (1, 2)]
    if with_coverage:
        job['jobs'].append({'kind': 'coverage', 'samples': COVERAGE_SAMPLES, 'rows': [y0, y1], 'columns': [x0, x1], 'path': path('coverage.exr')})
    run()
    return description, folder, strips


def forget_older_scene(blend, folder):
    """Removes what was rendered from another state of the designer's file; nobody wants yesterday's poster."""
    if not os.path.exists(blend):
        sys.exit('There is no file %s.' % blend)
    note = os.path.join(folder, 'scene.sha256')
    with open(blend, 'rb') as file:
        state = hashlib.sha256(file.read()).hexdigest()
    if os.path.exists(note):
        with open(note) as file:
            if file.read() == state:
                return
    for name in os.listdir(folder):
        if name.endswith('.exr') or name == 'description.json':
            os.remove(os.path.join(folder, name))
    with open(note, 'w') as file:
        file.write(state)


def covered_box(maps, description):
    """(x0, y0, x1, y1) around all frames and color areas, with a margin, from the half-size map."""
    covered = sum(maps[name][..., 2] for name in aov_names(description)) > 0
    rows, columns = covered.any(1).nonzero()[0], covered.any(0).nonzero()[0]
    return (max(0, 2 * int(columns[0]) - 24), max(0, 2 * int(rows[0]) - 24),
            min(description['width'], 2 * int(columns[-1]) + 26), min(description['height'], 2 * int(rows[-1]) + 26))


def aov_names(description):
    """The coverages that were rendered: of the frames, then of the color areas."""
    return [frame['name'] for frame in description['frames']] + ['Color ' + color['name'] for color in description['colors']]


def develop_light(description, folder, strips, only_covered=False):
    """Joins the strips and denoises them; returns (lights, coverage plane of every frame and color area): of the whole picture or the covered box."""
    first, second = exr.read_strips(strips[1]), exr.read_strips(strips[2])
    coverage = exr.read_layers(os.path.join(folder, 'coverage.exr'))
    x0, y0, x1, y1 = description['covered_box']
    coverages = {}
    for name in aov_names(description):
        plane = np.zeros((description['height'], description['width']), np.float32)
        plane[y0:y1, x0:x1] = coverage[name][..., 2]
        coverages[name] = plane[y0:y1, x0:x1] if only_covered else plane
    covered = sum(bundle.clean_coverage(coverages[frame['name']]) for frame in description['frames'])
    return denoise.denoise(first, second, covered), coverages


def develop(description, folder, strips, out, grain=True):
    """Denoises and writes the bundle."""
    lights, coverages = develop_light(description, folder, strips)
    template = bundle.write_bundle(out, description, lights, coverages, exr.read_layers(os.path.join(folder, 'map.exr')), grain)
    return bundle.write_colors(out, template, description, lights, coverages, (0, 0), grain)


def develop_colors(description, folder, strips, out, grain=True):
    """Adds the color areas to a bundle that is there, from renders of the covered box; its scene and frames stay."""
    lights, coverages = develop_light(description, folder, strips, only_covered=True)
    with open(os.path.join(out, 'template.json')) as file:
        template = json.load(file)
    check_frames(out, template, description, coverages)
    return bundle.write_colors(out, template, description, lights, coverages, description['covered_box'][:2], grain)


def add_dark_light(source, description, width, samples, out, threads=1, grain=True):
    """Adds the light on color areas in their dark colors to a bundle that is there; renders the covered box once more, so dyed.

    `description` as of shoot(), of any width. Returns the template; where no area of the set has a dark color it stays as it is.
    """
    with open(os.path.join(out, 'template.json')) as file:
        template = json.load(file)
    dyes = {color['name']: color['dark'] for color in description['colors'] if color['dark']}
    if not dyes:
        return template
    label = '-dyed-' + '-'.join(value[1:] for value in dyes.values())
    description, folder, strips = shoot(source, width, samples, threads, label=label, dyes=dyes, only_covered=True)
    lights, coverages = develop_light(description, folder, strips, only_covered=True)
    check_frames(out, template, description, coverages)
    return bundle.write_dark_light(out, template, description, lights, coverages, description['covered_box'][:2], grain)


def check_frames(out, template, description, coverages):
    """Ends the program where the frames of a bundle lie elsewhere than those of renders of the covered box."""
    if not bundle.shows_frames(out, template, [coverages[frame['name']] for frame in description['frames']], description['covered_box'][:2]):
        sys.exit('The frames of this render are not where those of %s are: its set or a mesh has changed since. Render it whole.' % out)


SOURCES_HEAD = """# Where the starter templates come from

Made for Vitrine by the sets in `scenes/sets/`: modelled by script and path-traced with Blender 3.4. Nothing in them comes from
anybody else: no photographs, scans, textures or models. The artworks in `artworks/` and in the thumbnails are drawn by
`scenes/artworks.py`.

Licence of every bundle and artwork in this folder: [CC0 1.0](https://creativecommons.org/publicdomain/zero/1.0/). Use them, and
what is rendered with them, for anything.

| template | made by | size | samples per pixel |
|---|---|---|---|
"""


LICENCE_NOTE = """%s (%s)

Modelled and path-traced for Vitrine by scenes/sets/%s.py; nothing in it comes from anybody else.
Dedicated to the public domain under CC0 1.0: https://creativecommons.org/publicdomain/zero/1.0/
Use it, and what is rendered with it, for anything, without asking and without naming us.
"""


def write_source(set_name, samples, description, template):
    """One row in templates/SOURCES.md says how a bundle was made; the bundle says that anybody may have it, and its licence."""
    bundle.write_template(os.path.join(TEMPLATES, description['id']), {**template, 'share_bundle': True})
    with open(os.path.join(TEMPLATES, description['id'], 'LICENSE'), 'w') as file:
        file.write(LICENCE_NOTE % (description['name'], description['id'], set_name))
    path = os.path.join(TEMPLATES, 'SOURCES.md')
    rows = {}
    if os.path.exists(path):
        with open(path) as file:
            rows = {line.split('`')[1]: line for line in file if line.startswith('| `')}
    rows[description['id']] = '| `%s` | `python3 scenes/make_template.py %s --width %d --samples %d` | %d x %d | 2 x %d |\n' % (
        description['id'], set_name, description['width'], samples, description['width'], description['height'], samples)
    with open(path, 'w') as file:
        file.write(SOURCES_HEAD + ''.join(rows[key] for key in sorted(rows)))


def exposure_note(template):
    """What to do about light in which white paper would be blown out or grey; None where it is right. Reads the bundle just written."""
    brightest = max(frame['lighting']['scale'] for frame in template['frames'])
    if .55 <= brightest <= 1.1:
        return None
    return ('The brightest artwork gets %.1f times the light of white; .9 is right. Set Color Management > Exposure %.1f stops %s and save.'
            % (brightest, abs(math.log2(.9 / brightest)), 'lower' if brightest > 1 else 'higher'))


def read_source(options, parser):
    if options.set and not options.blend:
        return {'set': options.set}
    missing = [name for name in ('id', 'name', 'category', 'out') if not getattr(options, name)]
    if options.set or not options.blend or missing:
        parser.error('give the name of a set, or --blend FILE with --id, --name, --category and --out')
    facts = {'id': options.id, 'name': options.name, 'category': options.category, 'type': options.type, 'surface_type': options.surface_type}
    return {'blend': os.path.abspath(options.blend), 'facts': facts}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('set', nargs='?', help='file name in scenes/sets, without .py')
    parser.add_argument('--blend', help="a designer's own scene, with its artwork material named Artwork")
    parser.add_argument('--id', help='id of the template, for --blend')
    parser.add_argument('--name', help='name of the template, for --blend')
    parser.add_argument('--category', help='category of the template, for --blend')
    parser.add_argument('--type', choices=('print', 'product'), default='print')
    parser.add_argument('--surface-type', help='material of a product: fabric, ceramic, ...')
    parser.add_argument('--width', type=int, default=2400, help='width of the scene in pixels (default 2400)')
    parser.add_argument('--samples', type=int, default=8, help='samples per pixel of each of the two renders (default 8)')
    parser.add_argument('--threads', type=int, default=1, help='threads for Blender (default 1)')
    parser.add_argument('--render-only', action='store_true', help='leave the renders in the work folder and write no bundle yet')
    parser.add_argument('--colors-only', action='store_true', help='render the color areas alone and add them to the bundle that is there')
    parser.add_argument('--dark-only', action='store_true', help='render the light on dark color areas alone and add it to the bundle that is there')
    parser.add_argument('--out', help='bundle folder (default templates/<id>)')
    options = parser.parse_args()
    source = read_source(options, parser)
    for program, package in (('blender', 'blender'), ('gcc', 'gcc')):
        if not shutil.which(program):
            sys.exit('There is no program "%s" here: apt-get install %s, or put it on the PATH.' % (program, package))
    started = time.time()
    if options.dark_only:
        description, _, _ = shoot(source, 64, 1, label='-described', only_covered=True)
        out = options.out or os.path.join(TEMPLATES, description['id'])
        add_dark_light(source, description, options.width, min(options.samples, DARK_SAMPLES), out, options.threads)
        print('%s: light on dark color areas in %.0f s' % (out, time.time() - started))
        return
    description, folder, strips = shoot(source, options.width, options.samples, options.threads, only_covered=options.colors_only)
    rendered = time.time()
    if options.render_only:
        print('%s: rendered in %.0f s' % (folder, rendered - started))
        return
    out = options.out or os.path.join(TEMPLATES, description['id'])
    (develop_colors if options.colors_only else develop)(description, folder, strips, out)
    template = add_dark_light(source, description, options.width, min(options.samples, DARK_SAMPLES), out, options.threads)
    if options.blend:
        for note in (*description.get('notes', []), exposure_note(template)):
            if note:
                print(note)
    if not options.out and not options.colors_only:
        write_source(options.set, options.samples, description, template)
    size = sum(os.path.getsize(os.path.join(out, name)) for name in os.listdir(out))
    print('%s: %d x %d, rendered in %.0f s, developed in %.0f s, %.2f MB' % (
        out, description['width'], description['height'], rendered - started, time.time() - rendered, size / 1e6))


if __name__ == '__main__':
    main()
