"""Drops the T-shirt of meshes/tee.npz on a table. Runs inside Blender, one to three minutes:

    blender -b --factory-startup --python scenes/simulate_tee.py -- scenes/meshes/tee.npz [seed]       # 5; tee_second.npz is 9

Two flat panels share their seams. The cloth's rest shape is the pattern; it starts from the pattern pushed around in its plane by a
centimetre or two, so that there is too much cloth everywhere and it must buckle into folds. The chest is pushed around less, or the
print would come out skewed. Simulations differ between machines and seeds: look, and keep the file.
"""

import os
import sys

import bpy
import numpy as np
from scipy.spatial import Delaunay, cKDTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from studio import shapes, stage  # noqa: E402

STEP = .0098  # metres between points of the cloth
FRAMES = 50


def curve(points):
    """A pattern line as points STEP apart."""
    line = shapes.smooth_curve(points, 80)
    along = np.r_[0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
    places = np.linspace(0, along[-1], max(2, round(along[-1] / STEP)) + 1)
    return np.c_[np.interp(places, along, line[:, 0]), np.interp(places, along, line[:, 1])]


def mirrored(line):
    return line[::-1] * [-1, 1]


SHOULDER = curve([(.092, .338), (.16, .318), (.235, .288)])
SLEEVE_TOP = curve([(.235, .288), (.30, .225), (.395, .118)])
SLEEVE_END = curve([(.395, .118), (.352, .078), (.310, .046)])
SLEEVE_UNDER = curve([(.310, .046), (.285, .075), (.262, .098)])
SIDE = curve([(.262, .098), (.256, -.02), (.259, -.2), (.265, -.365)])
HEM = curve([(.265, -.365), (0, -.372), (-.265, -.365)])
NECK_FRONT = curve([(-.092, .338), (-.078, .268), (0, .228), (.078, .268), (.092, .338)])
NECK_BACK = curve([(-.092, .338), (-.05, .322), (0, .316), (.05, .322), (.092, .338)])
OUTLINE = [('seam', SHOULDER), ('seam', SLEEVE_TOP), ('open', SLEEVE_END), ('seam', SLEEVE_UNDER), ('seam', SIDE), ('open', HEM),
           ('seam', mirrored(SIDE)), ('seam', mirrored(SLEEVE_UNDER)), ('open', mirrored(SLEEVE_END)), ('seam', mirrored(SLEEVE_TOP)),
           ('seam', mirrored(SHOULDER))]


def inside(outline, points):
    """Which points lie in the polygon (even-odd rule)."""
    x, y = points.T
    result = np.zeros(len(points), bool)
    for (x1, y1), (x2, y2) in zip(outline, np.roll(outline, -1, 0)):
        with np.errstate(all='ignore'):
            result ^= ((y1 > y) != (y2 > y)) & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return result


def panel(neck, random):
    """One side of the shirt: (points, triangles, which rim points are on a seam)."""
    rim, kinds = [], []
    for kind, line in OUTLINE:
        rim.append(line[:-1])
        kinds += [kind] * (len(line) - 1)
    rim.append(neck[:-1])
    kinds += ['open'] * (len(neck) - 1)
    rim = np.vstack(rim)
    on_seam = np.array([kind == 'seam' or kinds[i - 1] == 'seam' for i, kind in enumerate(kinds)])
    rows = []
    for row, y in enumerate(np.arange(-.40, .36, STEP * .866)):
        xs = np.arange(-.42, .42, STEP) + (STEP / 2 if row % 2 else 0)
        rows.append(np.c_[xs, np.full(len(xs), y)])
    grid = np.vstack(rows)
    grid = grid + random.normal(0, STEP * .10, grid.shape)
    grid = grid[inside(rim, grid)]
    grid = grid[cKDTree(rim).query(grid)[0] > STEP * .62]
    points = np.vstack([rim, grid])
    triangles = Delaunay(points).simplices
    triangles = triangles[inside(rim, points[triangles].mean(1))]
    area = np.cross(points[triangles[:, 1]] - points[triangles[:, 0]], points[triangles[:, 2]] - points[triangles[:, 0]])
    triangles, area = triangles[np.abs(area) > STEP * STEP * .02], area[np.abs(area) > STEP * STEP * .02]
    triangles[area < 0] = triangles[area < 0][:, ::-1]
    return points, triangles, on_seam


def pushed(flat, is_front, random):
    """The start of the simulation: the pattern, pushed around in its plane and a little upwards."""
    shift = np.zeros((len(flat), 2))
    for _ in range(26):
        center = np.array([random.uniform(-.3, .3), random.uniform(-.38, .25)])
        reach, far, angle = random.uniform(.05, .14), random.uniform(.009, .021), random.uniform(0, 2 * np.pi)
        shift += far * np.exp(-((flat - center) ** 2).sum(1) / (2 * reach * reach))[:, None] * [np.cos(angle), np.sin(angle)]
    shift *= (1 - .72 * np.exp(-((flat[:, 0] / .17) ** 4 + ((flat[:, 1] + .03) / .22) ** 4)))[:, None]
    from_middle = np.abs(flat[:, 0])
    sleeve = np.clip((from_middle - .235) / .15, 0, 1) * (flat[:, 1] > 0)
    waist = np.exp(-((flat[:, 1] + .12) / .16) ** 2) * np.clip(from_middle / .25, 0, 1)
    shift[:, 0] -= np.sign(flat[:, 0]) * (.018 * sleeve + .012 * waist)
    shift[:, 1] += .022 * np.clip((-.2 - flat[:, 1]) / .17, 0, 1) * (.6 + .4 * np.sin(flat[:, 0] * 14)) - .022 * sleeve
    lift = np.zeros(len(flat))
    for _ in range(30):
        center, reach = np.array([random.uniform(-.35, .35), random.uniform(-.36, .3)]), random.uniform(.02, .05)
        lift += random.uniform(.002, .016) * np.exp(-((flat - center) ** 2).sum(1) / (2 * reach * reach)) * np.where(is_front, 1, .6)
    return shift, lift


def main(out, seed=5):
    stage.clear()
    random = np.random.RandomState(int(seed))
    front, front_triangles, seam = panel(NECK_FRONT, random)
    back, back_triangles, _ = panel(NECK_BACK, random)
    shared = np.full(len(back), -1)
    rim_length = sum(len(line) - 1 for _, line in OUTLINE)
    for i in range(rim_length + 1):
        if i < len(seam) and seam[i]:
            shared[i] = i
    own = shared < 0
    shared[own] = len(front) + np.arange(own.sum())
    flat = np.vstack([front, back[own]])
    is_front = np.r_[np.ones(len(front), bool), np.zeros(own.sum(), bool)]
    triangles = np.vstack([front_triangles, shared[back_triangles][:, ::-1]])
    height = np.where(is_front, .012, .004)
    height[:len(seam)][seam] = .008
    pattern = np.c_[flat, height]
    shift, lift = pushed(flat, is_front, random)

    thing = shapes.mesh('tee', pattern.tolist(), triangles.tolist())
    thing.shape_key_add(name='pattern')
    start = thing.shape_key_add(name='start')
    start.data.foreach_set('co', (pattern + np.c_[shift, lift]).ravel())
    start.value = 1.0
    cloth = thing.modifiers.new('cloth', 'CLOTH')
    settings, contact = cloth.settings, cloth.collision_settings
    settings.quality, settings.mass = 5, .12
    settings.tension_stiffness = settings.compression_stiffness = 12
    settings.shear_stiffness, settings.bending_stiffness = 4, .35
    settings.tension_damping = settings.compression_damping = 8
    settings.shear_damping, settings.bending_damping, settings.air_damping = 6, .6, 2
    settings.rest_shape_key = thing.data.shape_keys.key_blocks['pattern']
    contact.distance_min = contact.self_distance_min = .0025
    contact.use_self_collision, contact.self_friction, contact.friction, contact.collision_quality = True, 12, 30, 2
    table = shapes.plane('table', (0, 0, 0), 3, 3)
    table.modifiers.new('collision', 'COLLISION')
    table.collision.cloth_friction, table.collision.thickness_outer = 30, .002
    cloth.point_cache.frame_end = bpy.context.scene.frame_end = FRAMES
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(len(flat) * 3, np.float32)
    evaluated.data.vertices.foreach_get('co', points)
    neck = np.where(is_front, cKDTree(NECK_FRONT).query(flat)[0], cKDTree(NECK_BACK).query(flat)[0])
    seams = np.vstack([line for kind, line in OUTLINE if kind == 'seam'])
    np.savez_compressed(out, co=points.reshape(-1, 3), T=triangles, V2=flat, isf=is_front,
                        ff=np.r_[np.ones(len(front_triangles), bool), np.zeros(len(back_triangles), bool)], dn=neck, dh=cKDTree(HEM).query(flat)[0],
                        ds=cKDTree(np.vstack([SLEEVE_END, mirrored(SLEEVE_END)])).query(flat)[0], dse=cKDTree(seams).query(flat)[0])
    print('tee: %d points' % len(flat))


if __name__ == '__main__':
    arguments = sys.argv[sys.argv.index('--') + 1:]
    main(arguments[0], *arguments[1:])
