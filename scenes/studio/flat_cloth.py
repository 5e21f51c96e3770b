"""Garments that lie flat: outlines from a pattern, a height map of folds, and the mesh that both give.

Simulated cloth came out with ragged hems, no two shoulders alike. Here the cut is drawn, and only the folds are left to chance.
"""

import math

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates
from scipy.spatial import Delaunay, cKDTree

from . import shapes

CELL = .002     # metres between the points of the height map
STEP = .0034    # metres between the points of the mesh


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


def both_sides(line):
    return np.vstack([line, mirrored(line)])


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


class Sheet:
    """A height map over a bounding box; `height` in metres, `points` are the cells' places."""

    def __init__(self, outline, margin=.03):
        self.low = outline.min(0) - margin
        columns, rows = np.ceil((outline.max(0) + margin - self.low) / CELL).astype(int) + 1
        y, x = np.mgrid[0:rows, 0:columns] * CELL
        self.shape = (rows, columns)
        self.points = np.c_[x.ravel() + self.low[0], y.ravel() + self.low[1]]
        self.height = np.zeros(self.shape)

    def distance(self, line):
        """Metres from every cell to a line of points."""
        return cKDTree(line).query(self.points)[0].reshape(self.shape)

    def at(self, values, places):
        """A map's values at `places` (metres)."""
        rows_columns = ((np.asarray(places) - self.low) / CELL).T[::-1]
        return map_coordinates(values, rows_columns, order=1, mode='nearest')

    def swell(self, rim, thick, reach):
        """Lays the cloth over its own volume: `thick` in the middle, rounded down to nothing within `reach` of the `rim`."""
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

    def groove(self, line, depth, width):
        """A seam that pulls the cloth down."""
        self.height -= depth * np.exp(-(self.distance(line) / width) ** 2)

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


def triangulated(outline, step=STEP):
    """Points and triangles of a panel: its rim exactly, a triangular grid within it."""
    low, high = outline.min(0), outline.max(0)
    rows = [np.c_[np.arange(low[0], high[0], step) + (step / 2 if row % 2 else 0), np.full(len(np.arange(low[0], high[0], step)), y)]
            for row, y in enumerate(np.arange(low[1], high[1], step * .866))]
    grid = np.vstack(rows)
    grid = grid[inside(outline, grid)]
    grid = grid[cKDTree(outline).query(grid)[0] > step * .6]
    points = np.vstack([outline, grid])
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


def nearest_line(places, lines):
    """(distance to, metres along) the nearest of several lines, for stitches that run beside them."""
    best, along = np.full(len(places), 9.0), np.zeros(len(places))
    for line in lines:
        lengths = np.r_[0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
        fine = np.linspace(0, lengths[-1], max(2, round(lengths[-1] / .0004)))
        dense = np.c_[np.interp(fine, lengths, line[:, 0]), np.interp(fine, lengths, line[:, 1])]
        far, index = cKDTree(dense).query(places)
        nearer = far < best
        best[nearer], along[nearer] = far[nearer], fine[index[nearer]]
    return best, along


def scattered_folds(sheet, random, count, box, heading, length, width, height, sides=(1,)):
    """`count` folds that start in `box` (x0, y0, x1, y1) and run along `heading` (degrees, +-); ranges are (low, high). Side -1 is mirrored."""
    for side in sides:
        for _ in range(count):
            x, y = random.uniform(box[0], box[2]), random.uniform(box[1], box[3])
            turn = math.radians(heading[0] + random.uniform(-heading[1], heading[1]))
            turn = turn if side > 0 else math.pi - turn
            sheet.fold((side * x, y), turn, random.uniform(*length), random.uniform(*width), random.uniform(*height),
                       random.uniform(-.5, .5), random.choice((-1, 1)) * random.uniform(.2, .5))
