"""Hangs the canvas bag of meshes/tote.npz from its straps. Runs inside Blender, about a minute:

    blender -b --factory-startup --python scenes/simulate_tote.py -- scenes/meshes/tote.npz [seed] [frames]

Two flat panels share their sides and bottom. What the straps are sewn to is held a little closer together than the pattern wants it and leans
towards the peg, so that the rim sags and folds run down from the seams. The straps themselves are not simulated: under the
bag's weight they are straight, and studio/bags.py draws them. Cloth never comes out the same twice: look, and keep the file.
"""

import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from studio import bags, shapes, simulation, stage  # noqa: E402

STEP = .0095  # metres between points of the cloth


def build_panels(random):
    """(flat points x z, is it the front, quads, which quads are in front). The panels share the points of three sides."""
    columns, rows = round(bags.WIDTH / STEP) + 1, round(bags.HEIGHT / STEP) + 1
    x, z = np.meshgrid(np.linspace(-bags.WIDTH / 2, bags.WIDTH / 2, columns), np.linspace(0, bags.HEIGHT, rows), indexing='ij')
    flat = np.c_[x.ravel(), z.ravel()]
    seam = (np.abs(flat[:, 0]) > bags.WIDTH / 2 - 1e-6) | (flat[:, 1] < 1e-6)
    count = len(flat)
    back = np.where(seam, np.arange(count), -1)
    back[~seam] = count + np.arange((~seam).sum())
    quads, front = [], []
    for i in range(columns - 1):
        for j in range(rows - 1):
            quad = [i * rows + j, (i + 1) * rows + j, (i + 1) * rows + j + 1, i * rows + j + 1]
            quads += [quad, [back[k] for k in quad[::-1]]]
            front += [True, False]
    side = np.r_[np.where(seam, 0, -1), np.ones((~seam).sum())]
    return np.vstack([flat, flat[~seam]]), side, np.array(quads), np.array(front)


def pushed(flat, random):
    """The start: the pattern, pushed around in its plane by some millimetres, least where the print will be."""
    shift = np.zeros((len(flat), 2))
    for _ in range(22):
        center = np.array([random.uniform(-.19, .19), random.uniform(0, .42)])
        reach, far, angle = random.uniform(.04, .11), random.uniform(.003, .010), random.uniform(0, 2 * np.pi)
        shift += far * np.exp(-((flat - center) ** 2).sum(1) / (2 * reach * reach))[:, None] * [np.cos(angle), np.sin(angle)]
    calm = np.exp(-((flat[:, 0] / .11) ** 4 + ((flat[:, 1] - .2) / .14) ** 4))
    return shift * (1 - .6 * calm)[:, None]


def main(out, seed=3, frames=70):
    stage.clear()
    random = np.random.RandomState(int(seed))
    flat, side, quads, front = build_panels(random)
    lift = np.array([.5 * (np.sin(9 * x + 3 * z) + np.sin(17 * z)) for x, z in flat])
    depth = bags.MIDDLE + side * (.006 + .003 * lift)
    pattern = np.c_[flat[:, 0], depth, flat[:, 1] + bags.BOTTOM]
    shift = pushed(flat, random)
    start = pattern + np.c_[shift[:, 0], np.zeros(len(flat)), shift[:, 1]]
    held = np.zeros(len(flat), bool)
    for sign in (-1, 1):  # the sewn-on ends of the straps
        ends = (np.abs(flat[:, 0] - sign * bags.STRAP_PLACE) < bags.STRAP_WIDTH / 2 + .002) & (flat[:, 1] > bags.HEIGHT - bags.STRAP_SEWN)
        held |= ends
        middle, lean = np.array([sign * bags.STRAP_PLACE, bags.HEIGHT]), sign * math.radians(bags.LEAN_DEGREES)
        from_middle = flat[ends] - middle
        turned = np.c_[from_middle[:, 0] * math.cos(lean) - from_middle[:, 1] * math.sin(lean),
                       from_middle[:, 0] * math.sin(lean) + from_middle[:, 1] * math.cos(lean)]
        start[ends, 0] = turned[:, 0] + sign * bags.HELD_PLACE
        start[ends, 2] = turned[:, 1] + bags.HEIGHT + bags.BOTTOM
        start[ends, 1] = bags.MIDDLE + side[ends] * bags.HELD_DEPTH

    thing = shapes.mesh('tote', pattern.tolist(), quads.tolist())
    group = thing.vertex_groups.new(name='held')
    group.add(np.nonzero(held)[0].tolist(), 1.0, 'REPLACE')
    thing.shape_key_add(name='pattern')
    key = thing.shape_key_add(name='start')
    key.data.foreach_set('co', start.ravel())
    key.value = 1.0
    cloth = thing.modifiers.new('cloth', 'CLOTH')
    settings, contact = cloth.settings, cloth.collision_settings
    settings.quality, settings.mass = 7, .25
    settings.tension_stiffness = settings.compression_stiffness = 30
    settings.shear_stiffness, settings.bending_stiffness = 12, 1.6
    settings.tension_damping = settings.compression_damping = 10
    settings.shear_damping, settings.bending_damping, settings.air_damping = 8, 1.0, 3
    settings.vertex_group_mass = 'held'
    settings.rest_shape_key = thing.data.shape_keys.key_blocks['pattern']
    contact.distance_min = contact.self_distance_min = .003
    contact.use_self_collision, contact.self_friction, contact.friction, contact.collision_quality = True, 5, 5, 3
    wall = shapes.plane('wall', (0, 0, 1), 3, 3, rotation=(math.pi / 2, 0, 0))
    wall.modifiers.new('collision', 'COLLISION')
    wall.collision.cloth_friction, wall.collision.thickness_outer = 5, .002
    points = simulation.points_after(int(frames), thing, cloth)
    np.savez_compressed(out, points=points, quads=quads, flat=flat, front=front)
    print('tote: %d points, from %s to %s' % (len(points), points.min(0).round(3), points.max(0).round(3)))


if __name__ == '__main__':
    arguments = sys.argv[sys.argv.index('--') + 1:]
    main(arguments[0], *arguments[1:])
