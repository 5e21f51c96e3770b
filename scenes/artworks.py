#!/usr/bin/env python3
"""Draws the sample artworks: what thumbnails, the first run and the documents show in the templates. All our own, CC0.

    python3 scenes/artworks.py            # writes templates/artworks/ and service/assets/sample-artwork.jpg

Needs numpy, cv2 and PIL. The same bytes come out on every run with the same library versions.
"""

import os

import cv2
import numpy as np
from PIL import Image

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def rgb(hex_color):
    return np.array([int(hex_color[i:i + 2], 16) for i in (1, 3, 5)], np.float32)


def fractal(length, random, first=3, octaves=8, roughness=.5):
    """A ridge line: sums of smooth random waves, about -1..1."""
    x = np.linspace(0, 1, length)
    total, size = np.zeros(length), 1.0
    for octave in range(octaves):
        knots = first * 2 ** octave + 2
        total += size * np.interp(x, np.linspace(0, 1, knots), random.uniform(-1, 1, knots))
        size *= roughness
    smooth = max(3, length // 900)
    return cv2.GaussianBlur(total[None].astype(np.float32), (0, 0), smooth)[0]


def clouds(height, width, random, cells, octaves=5, roughness=.55):
    """Smooth noise of 0..1; `cells` is (rows, columns) of the coarsest grid."""
    total, size, most = np.zeros((height, width), np.float32), 1.0, 0.0
    for octave in range(octaves):
        grid = random.uniform(0, 1, (cells[0] * 2 ** octave + 3, cells[1] * 2 ** octave + 3)).astype(np.float32)
        total += size * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        most += size
        size *= roughness
    return total / most


class Sheet:
    """Paper that is drawn on at twice its final size, with the speckle of a screen print."""

    OVER = 2

    def __init__(self, width, height, paper, seed):
        self.width, self.height = width * self.OVER, height * self.OVER
        self.random = np.random.RandomState(seed)
        self.picture = np.empty((self.height, self.width, 3), np.float32)
        self.picture[:] = rgb(paper)
        self.y, self.x = np.mgrid[0:self.height, 0:self.width].astype(np.float32)
        self.x /= self.width
        self.y /= self.height
        self.aspect = self.width / self.height
        speckle = self.random.normal(0, 1, (self.height, self.width)).astype(np.float32)
        self.speckle = cv2.GaussianBlur(speckle, (0, 0), 1.2)
        self.speckle = .5 + .30 * self.speckle / self.speckle.std()

    def ink(self, coverage, color, strength=1.0):
        coverage = np.clip(coverage, 0, 1)[..., None] * strength
        self.picture += coverage * (rgb(color) - self.picture)

    def grainy(self, density):
        """A density of 0..1 as printed dots."""
        return np.clip((density - self.speckle) * 9 + .5, 0, 1)

    def edge(self, distance):
        """Coverage of the inside (distance < 0); distance in units of the height."""
        return np.clip(.5 - distance * self.height, 0, 1)

    def disc(self, cx, cy, radius):
        return self.edge(np.hypot((self.x - cx) * self.aspect, self.y - cy) - radius)

    def finish(self):
        tooth = cv2.GaussianBlur(self.random.normal(0, 1, self.picture.shape[:2]).astype(np.float32), (0, 0), 2.2)
        paper = self.picture * (1 + .012 * (tooth / tooth.std())[..., None])
        small = cv2.resize(paper, (self.width // self.OVER, self.height // self.OVER), interpolation=cv2.INTER_AREA)
        return Image.fromarray(np.clip(small + .5, 0, 255).astype(np.uint8))


def poster_evening_hills(width=1600, height=2400):
    """A screen-printed evening: a large sun above rows of hills."""
    s = Sheet(width, height, '#f3e3c8', 11)
    s.ink(s.grainy(.95 - 1.9 * s.y), '#e9b384', .85)
    s.ink(s.disc(.60, .345, .178), '#d8573a')
    s.ink(s.disc(.60, .345, .178) * s.grainy(1.25 - 4.2 * np.hypot((s.x - .52) * s.aspect, s.y - .25)), '#ee8a4e', .9)
    hills = (('#dba27c', '#e9bf97', .500, .030, 2), ('#b9757a', '#d79a86', .565, .036, 3), ('#7d5a7a', '#b07a86', .640, .040, 2),
             ('#4c4a73', '#7a6187', .725, .042, 3), ('#2c3a5e', '#52547f', .815, .038, 2), ('#17263f', '#2f4468', .905, .030, 3))
    for i, (deep, glow, level, size, waves) in enumerate(hills):
        line = np.linspace(0, 1, s.width)
        phase = s.random.uniform(0, 7)
        ridge = level + size * (.7 * np.sin(line * 2.1 * waves + phase) + .3 * np.sin(line * 5.3 * waves + 2 * phase)) * .8
        below = s.y - ridge[None].astype(np.float32)
        body = s.edge(-below)
        s.ink(body, deep)
        s.ink(body * s.grainy(.92 - 9.5 * below + .25 * np.sin(s.x * 6 + i)), glow, .9)
    margin = .035
    outside = np.maximum(np.maximum(margin - s.x * s.aspect, s.x * s.aspect - (s.aspect - margin)), np.maximum(margin - s.y, s.y - (1 - margin)))
    s.ink(s.edge(-outside), '#f7efe0')
    return s.finish()


def poster_leaves(width=1600, height=2000):
    """Paper cut-outs: leaves on blocks of color."""
    s = Sheet(width, height, '#f1e7d6', 5)
    blocks = (('#2f5d57', 0, 0, .5, .46), ('#e6a23c', .5, 0, 1, .30), ('#e8c9b2', .5, .30, 1, .66), ('#c8553d', 0, .46, .5, 1), ('#22384f', .5, .66, 1, 1))
    for color, x0, y0, x1, y1 in blocks:
        inside = (s.x >= x0) & (s.x < x1) & (s.y >= y0) & (s.y < y1)
        s.ink(inside.astype(np.float32), color)
        s.ink(inside * s.grainy(.30 * (s.y - y0) / (y1 - y0)), '#1c1a1a', .10)

    def leaf_spray(cx, cy, length, angle, color, pairs):
        dx, dy = (s.x - cx) * s.aspect, s.y - cy
        along = (dx * np.cos(angle) + dy * np.sin(angle)) / length
        across = (-dx * np.sin(angle) + dy * np.cos(angle)) / length
        bend = .10 * np.sin(along * 2.6)
        shape = np.full_like(along, 1e3)
        shape = np.minimum(shape, np.maximum(np.abs(across - bend) - .020 * (1.25 - along), np.maximum(-along, along - 1)))
        for k in range(pairs):
            place = .16 + .80 * k / pairs
            size = .36 * np.sin(np.pi * (.22 + .70 * k / pairs))
            for side in (-1, 1):
                turn = side * (1.02 - .45 * k / pairs)
                px, py = along - place, across - .10 * np.sin(place * 2.6)
                u, v = px * np.cos(turn) + py * np.sin(turn), -px * np.sin(turn) + py * np.cos(turn)
                t = np.clip(u / size, 0, 1)
                shape = np.minimum(shape, np.maximum(np.abs(v) - .155 * size * np.sin(np.pi * t ** .75), np.maximum(-u, u - size)))
        tip = np.hypot(along - 1.02, (across - .10 * np.sin(2.6)) * 2.0) - .085
        s.ink(s.edge(np.minimum(shape, tip) * length), color)

    leaf_spray(.12, .43, .38, -.95, '#f1e7d6', 6)
    leaf_spray(.93, .63, .33, -2.05, '#2f5d57', 6)
    leaf_spray(.40, .97, .46, -2.0, '#f3c9a5', 6)
    leaf_spray(.60, .96, .30, -.72, '#e6a23c', 6)
    s.ink(s.disc(.75, .150, .085), '#f1e7d6')
    s.ink(s.disc(.75, .150, .085) * s.grainy(.9 - 9 * np.abs(s.y - .09)), '#c8553d', .95)
    return s.finish()


def pattern_petals(width=1600, height=1600, tiles=5):
    """A mid-century petal pattern that repeats without a seam: circles in four colors, overlapping."""
    s = Sheet(width, height, '#f4ecdf', 8)
    colors = ('#e07a5f', '#3d5a6c', '#81a594', '#e9b44c')
    for row in range(-1, tiles + 1):
        for column in range(-1, tiles + 1):
            cx, cy = (column + .5) / tiles, (row + .5) / tiles
            for k in range(4):
                angle = np.pi / 2 * k + np.pi / 4
                color = colors[(k + (row % tiles) + 2 * (column % tiles)) % 4]
                dx, dy = (s.x - cx) * tiles, (s.y - cy) * tiles
                along, across = dx * np.cos(angle) + dy * np.sin(angle), -dx * np.sin(angle) + dy * np.cos(angle)
                # a petal is where two circles overlap
                petal = np.maximum(np.hypot(along - .335, across - .24), np.hypot(along - .335, across + .24)) - .40
                s.ink(s.edge(petal / tiles), color)
                s.ink(s.edge((np.maximum(np.abs(across) - .010, np.abs(along - .33) - .22)) / tiles), '#f4ecdf')
            s.ink(s.edge((np.hypot((s.x - cx) * tiles, (s.y - cy) * tiles) - .055) / tiles), '#3b2f2f')
    return s.finish()


def logo_mountain(width=1600, height=1600):
    """A round emblem with clear ground: sun, mountain, water. One ink, alpha only."""
    over = 3
    y, x = np.mgrid[0:height * over, 0:width * over].astype(np.float32)
    # a clear margin all around, so that frames of other shapes crop nothing of it
    x, y = (x / (width * over) * 2 - 1) * 1.3, (y / (height * over) * 2 - 1) * 1.3

    def edge(distance):
        return np.clip(.5 - distance * width * over / 2.6, 0, 1)

    radius = np.hypot(x, y)
    ring = edge(np.abs(radius - .86) - .030)
    inside = edge(radius - .775)
    peak = y - (-.36 + 1.05 * np.abs(x + .10) + .05 * np.sin(x * 21))
    second = y - (-.06 + .95 * np.abs(x - .36))
    ground = y - .30
    mountain = np.maximum(np.minimum(-peak, 1e3), ground)
    behind = np.maximum(-second, ground)
    snow = np.maximum(-peak, y + .08 - .07 * np.abs(((x * 7.5) % 1) * 2 - 1))
    shape = np.maximum(edge(mountain), edge(behind) * (1 - edge(mountain - .035)))
    shape *= 1 - edge(snow + .014) * edge(-peak - .0 + .040)
    sun = edge(np.hypot(x - .30, y + .36) - .150)
    water = np.zeros_like(x)
    for k, (level, half) in enumerate(((.385, .62), (.465, .50), (.545, .40), (.625, .26))):
        wave = y - (level + .011 * np.sin(x * 15 + k * 1.9))
        water = np.maximum(water, edge(np.maximum(np.abs(wave) - .017, np.abs(x + .05 * (-1) ** k) - half)))
    coverage = np.clip(np.maximum(ring, inside * np.maximum(np.maximum(shape, water), sun)), 0, 1)
    alpha = cv2.resize(coverage, (width, height), interpolation=cv2.INTER_AREA)
    picture = np.empty((height, width, 4), np.uint8)
    picture[..., :3] = rgb('#1f3a3d').astype(np.uint8)
    picture[..., 3] = np.clip(alpha * 255 + .5, 0, 255).astype(np.uint8)
    return Image.fromarray(picture)


def photograph_lake(width=2400, height=1600):
    """A photograph that nobody took: ranges in morning haze, mirrored in a lake."""
    random = np.random.RandomState(21)
    shore = int(height * .60)
    y, x = np.mgrid[0:shore, 0:width].astype(np.float32)
    x, y = x / width, y / shore
    low, high = rgb('#f6d3b0'), rgb('#7fa0bd')
    sky = low + (high - low) * np.clip(1 - y * 1.05, 0, 1)[..., None] ** .9
    glow = np.exp(-(((x - .66) / .30) ** 2 + ((y - .60) / .38) ** 2))
    sky += glow[..., None] * (rgb('#fff0d2') - sky) * .85
    veil = clouds(shore, width, random, (5, 3), 6)
    wisps = np.clip((veil - .52) * 4.2, 0, 1) * np.clip(1.1 - y * 1.3, 0, 1)
    sky += wisps[..., None] * (rgb('#fbe6d2') - sky) * .55
    upper = sky
    ranges = 7
    for i in range(ranges):
        near = i / (ranges - 1)
        ridge = fractal(width, random, first=3 + 2 * i, octaves=9, roughness=.50 + .03 * near)
        if i == 1:
            ridge += 1.15 * np.exp(-((np.linspace(0, 1, width) - .33) / .11) ** 2)
        level = .48 + .46 * near ** 1.15 - (.120 - .075 * near) * ridge
        below = y - level[None].astype(np.float32)
        inside = np.clip(.5 + below * shore, 0, 1)
        haze = rgb('#e7c6ab') + (rgb('#20323a') - rgb('#e7c6ab')) * near ** .85
        rock = clouds(shore, width, random, (10 + 8 * i, 14 + 10 * i), 5, .6) - .5
        shade = haze + (14 + 20 * near) * rock[..., None] * np.array([1, .98, .9], np.float32)
        mist = np.clip(below / (.16 - .08 * near), 0, 1)[..., None]
        shade = shade + mist * (rgb('#edd3b9') - shade) * (.58 * (1 - near) ** .8 + .05)
        upper = upper + inside[..., None] * (shade - upper)
    trees = .975 - .030 * np.abs(fractal(width, random, 60, 5, .7)) - .035 * np.clip(fractal(width, random, 6, 4) - .25, 0, 1)
    for _ in range(260):  # firs on the near shore
        middle, size = random.randint(0, width), random.uniform(.02, .055)
        if abs(middle / width - .72) < .16:
            size *= .35
        reach = int(size * 130)
        span = np.arange(max(0, middle - reach), min(width, middle + reach))
        trees[span] = np.minimum(trees[span], .985 - size * np.clip(1 - np.abs(span - middle) / max(1, reach), 0, 1) ** .8
                                 - .003 * random.uniform(-1, 1, len(span)))
    wood = np.clip(.5 + (y - trees[None].astype(np.float32)) * shore, 0, 1)[..., None]
    upper = upper + wood * (rgb('#16221f') - upper)

    depth = height - shore
    rows = np.arange(depth, dtype=np.float32)
    t = rows / depth
    ripple = clouds(depth, width, random, (60, 7), 4, .6) - .5
    source_y = shore - 1 - rows[:, None] * 1.16 - ripple * (4 + 70 * t[:, None])
    source_x = np.arange(width, dtype=np.float32)[None] + ripple * (2 + 16 * t[:, None])
    mirrored = cv2.remap(upper.astype(np.float32), source_x.astype(np.float32), source_y.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    mirrored = cv2.GaussianBlur(mirrored, (0, 0), 1.6)
    lower = mirrored * (.86 - .22 * t[:, None, None]) + rgb('#1d3640') * (.10 + .16 * t[:, None, None])
    picture = np.concatenate([upper, lower])
    mist = np.exp(-((np.arange(height) - shore) / (height * .022)) ** 2)[:, None, None] * (.30 + .5 * clouds(height, width, random, (3, 5), 4)[..., None])
    picture = picture + np.clip(mist, 0, .6) * (rgb('#f0dcc6') - picture)
    soft = cv2.GaussianBlur(picture, (0, 0), 22)
    picture = picture + .16 * np.maximum(soft - picture, 0)
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    picture *= (1 - .20 * (((xx / width - .5) * 1.7) ** 2 + ((yy / height - .5) * 1.5) ** 2))[..., None]
    grain = cv2.GaussianBlur(random.normal(0, 1, (height, width)).astype(np.float32), (0, 0), .8)
    picture += (grain / grain.std())[..., None] * 1.9
    return Image.fromarray(np.clip(picture + .5, 0, 255).astype(np.uint8))


def main():
    folder = os.path.join(ROOT, 'templates', 'artworks')
    assets = os.path.join(ROOT, 'service', 'assets')
    os.makedirs(folder, exist_ok=True)
    os.makedirs(assets, exist_ok=True)
    logo_mountain().save(os.path.join(folder, 'mountain-logo.png'), optimize=True)
    poster = poster_evening_hills()
    poster.save(os.path.join(folder, 'evening-hills.jpg'), quality=88, optimize=True, progressive=True)
    poster.save(os.path.join(assets, 'sample-artwork.jpg'), quality=64, optimize=True)
    poster_leaves().save(os.path.join(folder, 'cut-out-leaves.jpg'), quality=86, optimize=True)
    pattern_petals().save(os.path.join(folder, 'petal-pattern.jpg'), quality=86, optimize=True)
    photograph_lake().save(os.path.join(folder, 'morning-lake.jpg'), quality=86, optimize=True)


if __name__ == '__main__':
    main()
