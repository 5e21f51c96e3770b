"""Blows up the pillow of meshes/pillow.npz: two square panels that share their rim, under pressure. Runs inside Blender:

    blender -b --factory-startup --python scenes/simulate_pillow.py -- scenes/meshes/pillow.npz [pressure]

Pressure 1.15 leaves a flat biscuit, 2.2 pinches the sides; 1.7 is about right. The simulated seam buckles into sharp notches, which a stuffed
cover never shows: smooth_seams() keeps the fullness and the drawn-in sides and takes the notches out. Cloth never comes out the same on two
machines: look at the result, and keep the file.
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from studio import shapes, simulation, stage  # noqa: E402

POINTS, SIDE, FRAMES = 48, .46, 45


def build_panels(random):
    """(vertices, quads, which quads are in front): the panels bulge by chance a little, so that the cloth knows where to go."""
    line = np.linspace(-1, 1, POINTS)
    x, y = np.meshgrid(line, line, indexing='ij')
    rounding = 1 - .045 * np.abs(x) ** 6 * np.abs(y) ** 6
    flat = np.c_[(x * rounding).ravel() * SIDE / 2, (y * rounding).ravel() * SIDE / 2]
    rim = ((np.abs(x) > .999) | (np.abs(y) > .999)).ravel()
    count = POINTS * POINTS
    back = np.where(rim, np.arange(count), -1)
    back[~rim] = count + np.arange((~rim).sum())
    height = np.where(rim, 0, .004) + random.normal(0, .0006, count) * ~rim
    vertices = np.vstack([np.c_[flat, height], np.c_[flat[~rim], -height[~rim]]])
    quads, front = [], []
    for i in range(POINTS - 1):
        for j in range(POINTS - 1):
            quad = [i * POINTS + j, (i + 1) * POINTS + j, (i + 1) * POINTS + j + 1, i * POINTS + j + 1]
            quads += [quad, [back[k] for k in quad[::-1]]]
            front += [True, False]
    return vertices, np.array(quads), np.array(front)


def blur(grid, sigma):
    """A Gaussian over both axes of a square grid; sigma in cells, the edge repeated."""
    reach = int(4 * sigma)
    weights = np.exp(-.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    for _ in range(2):
        padded = np.pad(grid, ((reach, reach), (0, 0)), 'edge')
        grid = sum(weight * padded[i:i + len(grid)] for i, weight in enumerate(weights)).T
    return grid


def smooth_seams(points, vertices):
    """The simulated points (n, 3) without the notches of the rim: what moved in the panels' plane is smoothed by 5 cells, the depth a little."""
    count = POINTS * POINTS
    border = np.ones((POINTS, POINTS), bool)
    border[1:-1, 1:-1] = False
    rim = border.ravel()
    back = np.where(rim, np.arange(count), -1)
    back[~rim] = count + np.arange((~rim).sum())
    flat = vertices[:count].reshape(POINTS, POINTS, 3)
    panels = []
    for panel in (points[:count], points[back]):
        panel = panel.reshape(POINTS, POINTS, 3).astype(float)
        for axis in range(2):
            panel[..., axis] = flat[..., axis] + blur(panel[..., axis] - flat[..., axis], 5)
        panel[..., 2] = .35 * panel[..., 2] + .65 * blur(panel[..., 2], 1.5)
        panels.append(panel.reshape(-1, 3))
    front, behind = panels
    front[rim] = (front[rim] + behind[rim]) / 2
    return np.vstack([front, behind[~rim]]).astype(np.float32)


def main(out, pressure=1.7):
    stage.clear()
    vertices, quads, front = build_panels(np.random.RandomState(1))
    thing = shapes.mesh('pillow', vertices.tolist(), quads.tolist())
    cloth = thing.modifiers.new('cloth', 'CLOTH')
    settings = cloth.settings
    settings.quality, settings.mass = 7, .15
    settings.tension_stiffness = settings.compression_stiffness = 25
    settings.shear_stiffness, settings.bending_stiffness, settings.bending_damping, settings.air_damping = 9, .25, .5, 3
    settings.use_pressure, settings.uniform_pressure_force = True, pressure
    settings.effector_weights.gravity = 0
    cloth.collision_settings.use_collision = cloth.collision_settings.use_self_collision = False
    points = smooth_seams(simulation.points_after(FRAMES, thing, cloth), vertices)
    np.savez_compressed(out, co=points, T=quads, V2=vertices[:, :2], ff=front, size=SIDE)
    print('pillow: %d points, %s m' % (len(points), np.ptp(points, axis=0).round(3)))


if __name__ == '__main__':
    arguments = sys.argv[sys.argv.index('--') + 1:]
    main(arguments[0], *map(float, arguments[1:]))
