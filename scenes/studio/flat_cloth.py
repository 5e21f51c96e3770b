"""Garments that lie flat: outlines from a pattern, a height map of folds, and the mesh that both give.

Simulated cloth came out with ragged hems, no two shoulders alike. Here the cut is drawn, and only the folds are left to chance.
"""

import math
import random as random_module

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates
from scipy.spatial import Delaunay, cKDTree

from . import shapes

CELL = .002     # metres between the points of the height map
STEP = .0034    # metres between the points of the mesh
FINE = .0004    # metres between the points of a line that distances are measured to
RIM_ROWS = (.0006, .0016, .0032)    # metres from a panel's rim: rows of points that keep the light on its edge equally wide


def curve(points, step=STEP):
    """A smooth pattern line through `points`, as points `step` metres apart."""
    return evenly(shapes.smooth_curve(points, 160), step)


def from_middle(points, step=STEP):
    """As curve(), for a line that begins on the middle line and runs on smoothly on the other side."""
    line = shapes.smooth_curve([(-x, y) for x, y in points[:0:-1]] + points, 320)
    return evenly(line[160:], step)


def evenly(line, step):
    along = np.r_[0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
    places = np.linspace(0, along[-1], max(2, round(along[-1] / step)) + 1)
    return np.c_[np.interp(places, along, line[:, 0]), np.interp(places, along, line[:, 1])]


def mirrored(line):
    """The same line on the other side of the middle, run through backwards."""
    return line[::-1] * [-1, 1]


def both_sides(*lines):
    """The lines and their mirror images, as a list: what lies on both sides of the middle is not joined across it."""
    return [each for line in lines for each in (line, mirrored(line))]


def across(line):
    """A line that ends on the middle line, continued on the other side."""
    return np.vstack([line, mirrored(line)[1:]])


def symmetric(*right):
    """The closed outline whose right half is `right`, from the middle of the top to the middle of the bottom."""
    half = np.vstack([line[:-1] for line in right[:-1]] + [right[-1]])
    return np.vstack([half, mirrored(half)[1:-1]])


def inside(outline, points):
    """Which points lie in the polygon (even-odd rule)."""
    x, y = points.T
    result = np.zeros(len(points), bool)
    for (x1, y1), (x2, y2) in zip(outline, np.roll(outline, -1, 0)):
        if y1 == y2:
            continue
        among = ((y1 > y) != (y2 > y))
        result[among] ^= x[among] < (x2 - x1) * (y[among] - y1) / (y2 - y1) + x1
    return result


class Chance:
    """The two sources of chance of one garment."""

    def __init__(self, seed):
        self.numpy = np.random.RandomState(seed)
        source = random_module.Random(seed)
        self.uniform, self.choice = source.uniform, source.choice


class Sheet:
    """A height map over a bounding box; `height` in metres, `points` are the cells' places."""

    def __init__(self, outline, margin=.03):
        self.low = outline.min(0) - margin
        columns, rows = np.ceil((outline.max(0) + margin - self.low) / CELL).astype(int) + 1
        y, x = np.mgrid[0:rows, 0:columns] * CELL
        self.shape = (rows, columns)
        self.points = np.c_[x.ravel() + self.low[0], y.ravel() + self.low[1]]
        self.height = np.zeros(self.shape)

    def distance(self, lines):
        """Metres from every cell to the nearest of several lines."""
        return distance(self.points, lines).reshape(self.shape)

    def at(self, values, places):
        """A map's values at `places` (metres)."""
        rows_columns = ((np.asarray(places) - self.low) / CELL).T[::-1]
        return map_coordinates(values, rows_columns, order=1, mode='nearest')

    def swell(self, rim, thick, reach):
        """Lays the cloth over its own volume: `thick` in the middle, rounded down to nothing within `reach` of the lines `rim`."""
        near = np.clip(self.distance(rim) / reach, 0, 1)
        self.height += thick * np.sqrt(1 - (1 - near) ** 2)

    def undulate(self, random, wavelength, amplitude):
        """Long uneven waves."""
        waves = gaussian_filter(random.normal(0, 1, self.shape), wavelength / CELL / 4)
        self.height += amplitude * waves / max(1e-9, waves.std())

    def fold(self, start, heading, length, width, height, bend=0.0, lean=.35):
        """One fold: a crest that fades at both ends, steep on one side, with a shallow trough beside it. `heading` in radians."""
        t = np.linspace(0, 1, 60)
        turn = heading + bend * (t - .5)
        way = np.cumsum(np.c_[np.cos(turn), np.sin(turn)], 0) * length / 60 + start
        reach = 5 * width
        among = ((self.points > way.min(0) - reach) & (self.points < way.max(0) + reach)).all(1)
        places = self.points[among]
        far, nearest = cKDTree(way).query(places)
        offset = places - way[nearest]
        sideways = np.cos(turn[nearest]) * offset[:, 1] - np.sin(turn[nearest]) * offset[:, 0]
        beyond = np.sqrt(np.maximum(0, far ** 2 - sideways ** 2))
        fade = np.sin(np.pi * np.clip(.04 + .92 * t[nearest], 0, 1)) ** .9 * np.exp(-(beyond / (1.2 * width)) ** 2)
        flank = np.where(sideways > 0, width * (1 + lean), width * (1 - lean))
        crest = np.exp(-(sideways / flank) ** 2) - .30 * np.exp(-((sideways - 2.1 * flank) / (1.3 * width)) ** 2)
        flat = self.height.ravel()
        flat[among] += height * fade * crest

    def groove(self, seams, depth, width):
        """Seams that pull the cloth down."""
        self.height -= depth * np.exp(-(self.distance(seams) / width) ** 2)

    def soften(self, sigma):
        """Rounds everything off by `sigma` metres."""
        self.height = gaussian_filter(self.height, sigma / CELL)

    def print_places(self, places):
        """`places` in the pattern: what the folds swallow, a print loses as well. Measured from the middle line."""
        slope_y, slope_x = np.gradient(self.height, CELL)
        middle = int(round(-self.low[0] / CELL))
        stretch_x = np.cumsum(np.sqrt(1 + slope_x ** 2) - 1, 1) * CELL
        stretch_x -= stretch_x[:, middle:middle + 1]
        stretch_y = np.cumsum(np.sqrt(1 + slope_y ** 2) - 1, 0) * CELL
        center = int(round((0 - self.low[1]) / CELL))
        stretch_y -= stretch_y[center:center + 1]
        return places + np.c_[self.at(gaussian_filter(stretch_x, 6), places), self.at(gaussian_filter(stretch_y, 6), places)]


def rolled(points, heights, rim, radius):
    """Heights that come down to 0 at the lines `rim` in a round edge: cloth that runs on to the other side."""
    near = np.clip(distance(points, rim) / radius, 0, 1)
    return heights * np.sqrt(1 - (1 - near) ** 2)


def triangulated(outline, step=STEP):
    """Points and triangles of a panel: its rim exactly, rows of points along the rim, a triangular grid within them."""
    closed = [np.vstack([outline, outline[:1]])]
    ahead = np.roll(outline, -1, 0) - np.roll(outline, 1, 0)
    inwards = np.c_[-ahead[:, 1], ahead[:, 0]] / np.linalg.norm(ahead, axis=1)[:, None]
    inwards *= np.sign(outline[:, 0] @ np.roll(outline[:, 1], -1) - outline[:, 1] @ np.roll(outline[:, 0], -1))
    rows = [outline]
    for inset in RIM_ROWS:
        row = outline + inset * inwards
        rows.append(row[distance(row, closed) > .97 * inset])
    low, high = outline.min(0), outline.max(0)
    across = np.arange(low[0], high[0], step)
    grid = np.vstack([np.c_[across + (step / 2 if row % 2 else 0), np.full(len(across), y)]
                      for row, y in enumerate(np.arange(low[1], high[1], step * .866))])
    grid = grid[inside(outline, grid)]
    grid = grid[distance(grid, closed) > RIM_ROWS[-1] + step * .6]
    points = np.vstack([*rows, grid])
    triangles = Delaunay(points).simplices
    triangles = triangles[inside(outline, points[triangles].mean(1))]
    edge_a, edge_b = points[triangles[:, 1]] - points[triangles[:, 0]], points[triangles[:, 2]] - points[triangles[:, 0]]
    area = edge_a[:, 0] * edge_b[:, 1] - edge_a[:, 1] * edge_b[:, 0]
    triangles[area < 0] = triangles[area < 0][:, ::-1]
    return points, triangles[np.abs(area) > 1e-9]


def cloth(name, points, triangles, heights, material, uv, attributes=None, thickness=.0008):
    """A mesh of cloth; `attributes` are values by point."""
    thing = shapes.mesh(name, np.c_[points, heights].tolist(), triangles.tolist(), material, smooth=True, uv=uv.tolist())
    for attribute, values in (attributes or {}).items():
        thing.data.attributes.new(attribute, 'FLOAT', 'POINT').data.foreach_set('value', np.asarray(values, np.float32))
    solid = thing.modifiers.new('cloth', 'SOLIDIFY')
    solid.thickness, solid.offset = thickness, -1
    return thing


def distance(places, lines):
    """Metres from each place to the nearest of several lines."""
    return cKDTree(np.vstack([evenly(line, FINE) for line in lines])).query(places)[0]


def nearest_line(places, lines):
    """(distance to, metres along) the nearest of several lines, for stitches that run beside them."""
    best, along = np.full(len(places), 9.0), np.zeros(len(places))
    for line in lines:
        dense = evenly(line, FINE)
        metres = np.r_[0, np.cumsum(np.linalg.norm(np.diff(dense, axis=0), axis=1))]
        far, index = cKDTree(dense).query(places)
        nearer = far < best
        best[nearer], along[nearer] = far[nearer], metres[index[nearer]]
    return best, along


def beside_seam(places, right):
    """Metres from the nearer of a seam and its mirror image: positive on the left of the line `right`, negative on its right.

    The sign matters where a seam crosses the faces of a mesh: distances without one don't reach 0 between its points.
    """
    places = np.c_[np.abs(places[:, 0]), places[:, 1]]
    dense = evenly(right, FINE)
    far, index = cKDTree(dense).query(places)
    ahead = np.gradient(dense, axis=0)[index]
    offset = places - dense[index]
    sideways = (ahead[:, 0] * offset[:, 1] - ahead[:, 1] * offset[:, 0]) / np.linalg.norm(ahead, axis=1)
    beyond = (index == 0) | (index == len(dense) - 1)
    return np.where(beyond, np.copysign(far, sideways), sideways)


def scattered_folds(sheet, random, count, box, heading, length, width, height, sides=(1,)):
    """`count` folds that start in `box` (x0, y0, x1, y1) and run along `heading` (degrees, +-); ranges are (low, high). Side -1 is mirrored."""
    for side in sides:
        for _ in range(count):
            x, y = random.uniform(box[0], box[2]), random.uniform(box[1], box[3])
            turn = math.radians(heading[0] + random.uniform(-heading[1], heading[1]))
            turn = turn if side > 0 else math.pi - turn
            sheet.fold((side * x, y), turn, random.uniform(*length), random.uniform(*width), random.uniform(*height),
                       random.uniform(-.5, .5), random.choice((-1, 1)) * random.uniform(.2, .5))
