"""Writes a template bundle (format 1, see docs/make-a-template.md) from denoised passes.

What the camera saw is taken apart so that the engine can put it together again with any artwork on the surface:
`scene` = everything but the frames' own light, and per frame `shade` (light that a white surface sends back, times the artwork),
`highlights` (gloss, glaze and glass, which no artwork changes) and `mask` (how much of each pixel the frame covers).
"""

import json
import os
import re

import cv2
import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter

from .tone import decode_srgb, develop, encode_srgb, to_bytes

QUALITY = 92
SURFACE_QUALITY = 92    # of the shade and highlights of color areas, which show no picture
LEAST_DEFAULT = .02     # linear; a darker default says nothing of the light on it
LIGHT_QUALITY = 97      # of shade and highlights: their errors are multiplied into every artwork, and they are small files
REGION_MARGIN = 8       # px around a frame that its layers still cover
MOVED = .0005           # share of a frame's mask that may differ by half: more, and the frame is not where it was
HIDDEN_MARGIN = 33      # px around a color area in which its light is kept: under a frame it is never seen
NOISE_KEPT = .15        # a little of the camera's noise makes a render look like a photograph (costs .2 dB) ...
NOISE_LIMIT = .009      # ... but never more than this share of the local brightness
GRAIN = .011            # film grain of the scene picture, in display values of the brightest parts, less in the dark ...
DARK_GRAIN = .3         # ... where this share of it is left: more would show up beside clear artwork on black cloth
SHADE_GRAIN = .022      # about the same on the artwork, as a share of the light
SOLID, EMPTY = .96, .004


def clean_coverage(coverage):
    """Coverage 0..1 with its top normalised (chance keeps it a little under 1) and the dust at both ends removed."""
    inside = coverage[coverage > .6]
    top = max(1e-3, float(np.median(inside))) if inside.size else 1.0
    coverage = np.clip(coverage / top, 0, 1)
    return np.where(coverage > SOLID, 1, np.where(coverage < EMPTY, 0, coverage)).astype(np.float32)


def some_noise(clean, noisy):
    """The denoised light with a little of its noise."""
    noise = noisy - clean
    spread = np.sqrt(np.maximum(cv2.blur((noise ** 2).mean(2), (15, 15)), 0))  # running sums beside a lamp can end below 0
    brightness = cv2.blur(clean.mean(2), (15, 15))
    kept = np.minimum(NOISE_KEPT, NOISE_LIMIT * brightness / np.maximum(spread, 1e-6))
    return clean + kept[..., None] * noise


def extend(values, known):
    """Continues `values` smoothly from where `known` is true to everywhere within about 50 px."""
    weight = known.astype(np.float32)
    result = values * weight[..., None]
    done = known.copy()
    for sigma in (1, 2, 4, 8, 16):
        total = gaussian_filter(weight, sigma)
        blurred = np.dstack([gaussian_filter(values[..., c] * weight, sigma) for c in range(values.shape[2])])
        reached = ~done & (total > 1e-3)
        result[reached] = blurred[reached] / total[reached][:, None]
        done |= reached
    return result


def extend_linearly(values, known, steps):
    """Continues a coordinate map outwards along its own slope, `steps` pixels far. Returns (values, known)."""
    values, known = values.copy(), known.copy()
    for _ in range(steps):
        total = np.zeros_like(values)
        count = np.zeros(known.shape, np.float32)
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            near_known = np.roll(known, (dy, dx), (0, 1))
            far_known = np.roll(known, (2 * dy, 2 * dx), (0, 1))
            both = near_known & far_known & ~known
            guess = 2 * np.roll(values, (dy, dx), (0, 1)) - np.roll(values, (2 * dy, 2 * dx), (0, 1))
            total[both] += guess[both]
            count[both] += 1
        reached = count > 0
        values[reached] = total[reached] / count[reached][:, None]
        known |= reached
    return values, known


def frame_region(coverage, width, height):
    """Box around a frame, margin included, on even pixels so that half-resolution layers fit it exactly: (x, y, width, height)."""
    x, y, w, h = cv2.boundingRect((coverage > 0).astype(np.uint8))
    x0, y0 = max(0, x - REGION_MARGIN) // 2 * 2, max(0, y - REGION_MARGIN) // 2 * 2
    x1, y1 = min(width, (x + w + REGION_MARGIN + 1) // 2 * 2), min(height, (y + h + REGION_MARGIN + 1) // 2 * 2)
    return x0, y0, x1 - x0, y1 - y0


def coordinate_map(half, region):
    """The 16-bit map of a region from the half-resolution AOV (u, v, coverage at pixel centres); v turned to run downwards."""
    x, y, w, h = (n // 2 for n in region)
    part = half[y:y + h, x:x + w]
    known = part[..., 2] > .5
    uv = np.where(known[..., None], part[..., :2] / np.maximum(part[..., 2:3], 1e-4), 0)
    uv[..., 1] = np.where(known, 1 - uv[..., 1], 0)
    uv, known = extend_linearly(uv.astype(np.float64), known, 4)
    encoded = np.where(known[..., None], np.clip(uv, 0, 1), 0) * 65535
    return np.round(encoded).astype(np.uint16)


def linear_color(hex_color):
    return decode_srgb(np.array([int(hex_color[i:i + 2], 16) / 255 for i in (1, 3, 5)], np.float32))


def light_scale(shade, highlights, inside):
    """How much light full white in the layers stands for: room for the brightest paper; glints may clip at 1.6, where the tone is flat."""
    brightest = max(float(np.percentile(shade[inside], 99.95)) * 1.04, min(1.6, float(np.percentile(highlights[inside], 99.95))))
    return max(.4, round(brightest + .005, 2))


def save_webp(path, picture, quality=QUALITY):
    Image.fromarray(picture).save(path, quality=quality, method=6)


def write_bundle(folder, description, lights, coverages, half_maps, with_grain=True):
    """`lights` from denoise(); `coverages` {frame name: plane}; `half_maps` {frame name: AOV} for uvmap templates.

    `with_grain` False leaves out noise and film grain, for measuring.
    """
    os.makedirs(folder, exist_ok=True)
    diffuse_clean = lights['diffuse'][0] + lights['transmission'][0]
    diffuse_noisy = lights['diffuse'][1] + lights['transmission'][1]
    gloss_clean, gloss_noisy = lights['gloss']
    diffuse = some_noise(diffuse_clean, diffuse_noisy) if with_grain else diffuse_clean
    gloss = some_noise(gloss_clean, gloss_noisy) if with_grain else gloss_clean
    everything = diffuse + gloss + lights['other'][0]
    height, width = diffuse.shape[:2]

    grain = gaussian_filter(np.random.RandomState(0).normal(0, 1, (height, width)).astype(np.float32), .6)[..., None]
    grain *= with_grain
    scene = everything.copy()
    total_coverage = np.zeros((height, width), np.float32)
    frames = []
    for index, frame in enumerate(description['frames']):
        coverage = clean_coverage(coverages[frame['name']])
        total_coverage = np.minimum(1, total_coverage + coverage)
        region = frame_region(coverage, width, height)
        x, y, w, h = region
        window = np.s_[y:y + h, x:x + w]
        covered = coverage[window]
        inside = covered >= 1
        if frame.get('surface_color'):
            inside = cv2.erode(inside.astype(np.uint8), np.ones((3, 3))) > 0
        # a screen gives its artwork its own light, everything else sends back the room's
        bearing, rest = (lights['other'][0], diffuse_clean) if frame.get('shines') else (diffuse, lights['other'][0])
        shade = np.maximum(extend(bearing[window], inside), 0)
        highlights = np.maximum(extend(gloss_clean[window] + rest[window], inside), 0)
        scene[window] -= covered[..., None] * (shade + highlights)
        if frame.get('surface_color'):
            # white ink on dark cloth: the few samples of the render don't know its edge as well as the coverage does, and what is left of
            # a white pixel glares on black. Around the print is the same cloth, so that its light is known.
            rim = (cv2.dilate((covered > 0).astype(np.uint8), np.ones((3, 3))) > 0) & ~inside
            cloth = (1 - covered[..., None]) * (shade * linear_color(frame['surface_color']) + highlights)
            scene[window][rim] = cloth[rim]
        scale = light_scale(shade, highlights, inside)
        names = {layer: 'frame-%d-%s.%s' % (index, layer, kind) for layer, kind in
                 (('shade', 'webp'), ('highlights', 'webp'), ('mask', 'png'), ('uv', 'png'))}
        save_webp(os.path.join(folder, names['shade']), to_bytes(encode_srgb(shade * (1 + SHADE_GRAIN * grain[window]) / scale)), LIGHT_QUALITY)
        save_webp(os.path.join(folder, names['highlights']), to_bytes(encode_srgb(highlights / scale)), LIGHT_QUALITY)
        Image.fromarray(to_bytes(covered)).save(os.path.join(folder, names['mask']), optimize=True)

        def layer(name):
            return {'image': names[name], 'region': list(region)}

        entry = {'aspect_ratio': round(frame['aspect_ratio'], 5)}
        if description['render_mode'] == 'corners':
            entry['corners'] = [[round(px, 3), round(py, 3)] for px, py in frame['corners']]
        else:
            uv = coordinate_map(half_maps[frame['name']], region)
            # cv2 stores blue, green, red
            cv2.imwrite(os.path.join(folder, names['uv']), np.dstack([np.zeros_like(uv[..., 0]), uv[..., 1], uv[..., 0]]),
                        [cv2.IMWRITE_PNG_COMPRESSION, 9])
            entry['uvmap'] = layer('uv')
        entry['mask'] = layer('mask')
        if frame.get('surface_color'):
            entry['surface_color'] = frame['surface_color']
        entry['lighting'] = {'shade': layer('shade'), 'highlights': layer('highlights'), 'scale': scale}
        frames.append(entry)

    scene = np.where(total_coverage[..., None] >= 1, 0, np.maximum(scene, 0))
    developed = develop(scene)
    brightness = DARK_GRAIN + (1 - DARK_GRAIN) * np.minimum(1, developed.mean(2, keepdims=True) * 1.4)
    scene_bytes = to_bytes(developed + GRAIN * brightness * grain * (1 - total_coverage[..., None]))
    save_webp(os.path.join(folder, 'scene.webp'), scene_bytes)

    template = {key: description[key] for key in ('id', 'name', 'category', 'type', 'surface_type', 'render_mode')}
    template = {'format': 1, **template, 'scene': 'scene.webp', 'tone': 'shoulder0.7', 'frames': frames}
    if os.path.exists(os.path.join(folder, 'thumbnail.webp')):
        template['thumbnail'] = 'thumbnail.webp'
    write_template(folder, template)
    return template


def write_colors(folder, template, description, lights, coverages, origin, with_grain=True):
    """Adds the color areas to a written bundle; `lights` and `coverages` are of the part of the picture that begins at `origin` (x, y).

    An area is what its AOV covers and no frame does: in a frame's hole the scene has no light that could be dyed. Its shade is the
    diffuse light over the default color, which is what the surface sends back where a dye of the same name is white.
    """
    if not description['colors']:
        return template
    diffuse, gloss = (some_noise(*light) if with_grain else light[0] for light in (
        [lights['diffuse'][i] + lights['transmission'][i] for i in (0, 1)], lights['gloss']))
    height, width = diffuse.shape[:2]
    grain = with_grain * gaussian_filter(np.random.RandomState(0).normal(0, 1, (height, width)).astype(np.float32), .6)[..., None]
    frames = [(clean_coverage(coverages[frame['name']]), frame) for frame in description['frames']]
    framed = np.minimum(1, sum(plane for plane, _ in frames))
    inked = sum(plane for plane, frame in frames if frame.get('surface_color'))  # white ink on dyed cloth, see drawn_tee.jersey()
    colors = []
    for color in description['colors']:
        total = clean_coverage(coverages['Color ' + color['name']])
        covered = np.maximum(0, total - framed)
        x, y, w, h = frame_region(covered > 0, width, height)
        window = np.s_[y:y + h, x:x + w]
        # a frame on the area has its light too: without it, none would be known in a narrow strip beside a print
        ink = (inked + np.zeros_like(total))[window]
        inside = cv2.erode(((total[window] >= 1) & ((ink <= 0) | (ink >= 1))).astype(np.uint8), np.ones((3, 3))) > 0
        inside &= cv2.dilate((covered[window] > 0).astype(np.uint8), np.ones((HIDDEN_MARGIN, HIDDEN_MARGIN))) > 0
        default = np.maximum(linear_color(color['default']), LEAST_DEFAULT)
        albedo = np.where(ink[..., None] > 0, 1, default)
        shade = np.maximum(extend(diffuse[window] / albedo, inside), 0)
        highlights = np.maximum(extend(gloss[window] + lights['other'][0][window], inside), 0)
        scale = light_scale(shade, highlights, inside)
        names = {layer: '%s-%s.%s' % (color['name'], layer, kind) for layer, kind in (('mask', 'png'), ('shade', 'webp'), ('highlights', 'webp'))}
        Image.fromarray(to_bytes(covered[window])).save(os.path.join(folder, names['mask']), optimize=True)
        save_webp(os.path.join(folder, names['shade']), to_bytes(encode_srgb(shade * (1 + SHADE_GRAIN * grain[window]) / scale)), SURFACE_QUALITY)
        save_webp(os.path.join(folder, names['highlights']), to_bytes(encode_srgb(highlights / scale)), LIGHT_QUALITY)
        region = [x + origin[0], y + origin[1], w, h]
        layers = {layer: {'image': names[layer], 'region': region} for layer in names}
        colors.append({'name': color['name'], 'default': color['default'], 'mask': layers['mask'],
                       'lighting': {'shade': layers['shade'], 'highlights': layers['highlights'], 'scale': scale},
                       'suggestions': color['suggestions']})
    frames = [{**written, **surface_of(frame, description['colors'])} for written, frame in zip(template['frames'], description['frames'])]
    template = {**template, 'frames': frames, 'colors': colors}
    write_template(folder, template)
    return template


def write_dark_light(folder, template, description, lights, coverages, origin, with_grain=True):
    """Adds the light on dark color areas and on their frames to a written bundle, in the regions and scales of its other light.

    `lights` and `coverages` are of the part of the picture that begins at `origin` (x, y), rendered in the dark colors.
    """
    diffuse, gloss = (some_noise(*light) if with_grain else light[0] for light in (
        [lights['diffuse'][i] + lights['transmission'][i] for i in (0, 1)], lights['gloss']))
    highlights = gloss + lights['other'][0]
    height, width = diffuse.shape[:2]
    grain = with_grain * gaussian_filter(np.random.RandomState(0).normal(0, 1, (height, width)).astype(np.float32), .6)[..., None]
    described = {color['name']: color for color in description['colors'] if color['dark']}
    framed = np.minimum(1, sum(clean_coverage(coverages[frame['name']]) for frame in description['frames']))

    def write(name, lighting, albedo, known):
        x, y, w, h = lighting['shade']['region']
        window = np.s_[y - origin[1]:y - origin[1] + h, x - origin[0]:x - origin[0] + w]
        inside = cv2.erode(known[window].astype(np.uint8), np.ones((3, 3))) > 0
        shade = np.maximum(extend(diffuse[window] / albedo, inside), 0) * (1 + SHADE_GRAIN * grain[window])
        layers = {'shade': (shade, SURFACE_QUALITY), 'highlights': (np.maximum(extend(highlights[window], inside), 0), LIGHT_QUALITY)}
        written = {}
        for layer, (light, quality) in layers.items():
            written[layer] = {'image': '%s-dark-%s.webp' % (name, layer), 'region': lighting['shade']['region']}
            save_webp(os.path.join(folder, written[layer]['image']), to_bytes(encode_srgb(light / lighting['scale'])), quality)
        return {**written, 'scale': lighting['scale']}

    colors = []
    for color in template['colors']:
        if color['name'] in described:
            dark = described[color['name']]['dark']
            total = clean_coverage(coverages['Color ' + color['name']])
            seen = cv2.dilate((total > framed).astype(np.uint8), np.ones((HIDDEN_MARGIN, HIDDEN_MARGIN))) > 0
            known = (total >= 1) & seen
            color = {**color, 'dark': {'color': dark, 'lighting': write(color['name'], color['lighting'], linear_color(dark), known)}}
        colors.append(color)
    frames = []
    for index, (frame, facts) in enumerate(zip(template['frames'], description['frames'])):
        area = described.get(frame.get('surface'))
        if area and not facts.get('surface_color'):  # white ink on dyed cloth keeps its own light
            albedo = linear_color(area['dark']) / np.maximum(linear_color(area['default']), LEAST_DEFAULT)
            known = clean_coverage(coverages[facts['name']]) >= 1
            frame = {**frame, 'dark_lighting': write('frame-%d' % index, frame['lighting'], albedo, known)}
        frames.append(frame)
    template = {**template, 'frames': frames, 'colors': colors}
    write_template(folder, template)
    return template


def shows_frames(folder, template, coverages, origin):
    """Whether the masks of a written bundle agree with coverages that were rendered again, of the part that begins at `origin` (x, y)."""
    for frame, coverage in zip(template['frames'], coverages):
        x, y, w, h = frame['mask']['region']
        left, top = x - origin[0], y - origin[1]
        again = clean_coverage(coverage)[top:top + h, left:left + w]
        with Image.open(os.path.join(folder, frame['mask']['image'])) as picture:
            written = np.asarray(picture.convert('L'), np.float32) / 255
        if again.shape != written.shape or (np.abs(again - written) > .5).mean() > MOVED:
            return False
    return True


def surface_of(frame, colors):
    """The fields of a frame that lies on a color area: clear artwork shows the area's color, by default what it showed without it."""
    area = next((color for color in colors if color['name'] == frame.get('area')), None)
    if area is None:
        return {}
    return {'surface': area['name'], 'surface_color': frame.get('surface_color') or '#ffffff'}


def write_template(folder, template):
    """template.json, with arrays of numbers on one line, as a person would write them."""
    text = re.sub(r'\[\s*(-?[\d.]+(?:,\s*-?[\d.]+)*)\s*\]', lambda found: '[%s]' % ', '.join(re.split(r',\s*', found.group(1))),
                  json.dumps(template, indent=2))
    with open(os.path.join(folder, 'template.json'), 'w') as file:
        file.write(text + '\n')
