"""Puts a T-shirt on a dress form: meshes/tee_on_form.npz. Runs inside Blender, some minutes:

    blender -b --factory-startup --python scenes/simulate_tee_on_form.py -- scenes/meshes/tee_on_form.npz [frames]

The cut is the one of the drawn shirt (studio/drawn_tee.py). Its two panels share their seams and hang flat around a form that is flat too; then the form
grows to its depth within the shirt, and the cloth settles. What is stored are places, the cut and the faces; studio/dress_form.py makes them cloth.
"""

import os
import sys

import numpy as np
from scipy.spatial import Delaunay, cKDTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from studio import dress_form, drawn_tee, flat_cloth, shapes, simulation, stage  # noqa: E402

STEP = .0095         # metres between points of the cloth
APART = .014         # of each panel from the middle at the start
THIN = .05           # share of its depth that the form begins with
GROWN_FRAME = 40


def panel(neck):
    """(points, triangles, which points are on seams) of the front or the back, in the cut's plane."""
    lines = [flat_cloth.evenly(line, STEP) for line in (neck, drawn_tee.SHOULDER, drawn_tee.SLEEVE_TOP, drawn_tee.SLEEVE_END, drawn_tee.SLEEVE_UNDER,
                                                        drawn_tee.SIDE, drawn_tee.HEM)]
    rim = flat_cloth.symmetric(*lines)
    seams = np.vstack(flat_cloth.both_sides(lines[1], lines[2], lines[4], lines[5]))
    low, high = rim.min(0), rim.max(0)
    across = np.arange(low[0], high[0], STEP)
    grid = np.vstack([np.c_[across + (STEP / 2 if row % 2 else 0), np.full(len(across), y)]
                      for row, y in enumerate(np.arange(low[1], high[1], STEP * .866))])
    grid = grid[flat_cloth.inside(rim, grid)]
    grid = grid[flat_cloth.distance(grid, [np.vstack([rim, rim[:1]])]) > .6 * STEP]
    points = np.vstack([rim, grid])
    triangles = Delaunay(points).simplices
    triangles = triangles[flat_cloth.inside(rim, points[triangles].mean(1))]
    a, b = points[triangles[:, 1]] - points[triangles[:, 0]], points[triangles[:, 2]] - points[triangles[:, 0]]
    area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    triangles[area < 0] = triangles[area < 0][:, ::-1]
    on_seam = np.zeros(len(points), bool)
    on_seam[:len(rim)] = cKDTree(seams).query(rim)[0] < 1e-6
    return points, triangles[np.abs(area) > 1e-9], on_seam


def sewn():
    """(places in the cut, side -1 front, 1 back, 0 seam, triangles, which triangles are in front)."""
    front, front_faces, front_seam = panel(drawn_tee.NECK_FRONT)
    back, back_faces, back_seam = panel(drawn_tee.NECK_BACK)
    seam_numbers = np.nonzero(front_seam)[0]
    number = np.empty(len(back), int)
    number[back_seam] = seam_numbers[cKDTree(front[seam_numbers]).query(back[back_seam])[1]]
    number[~back_seam] = len(front) + np.arange((~back_seam).sum())
    faces = np.vstack([front_faces, number[back_faces][:, ::-1]])
    side = np.r_[np.where(front_seam, 0, -1), np.ones((~back_seam).sum())]
    return np.vstack([front, back[~back_seam]]), side, faces, np.r_[np.ones(len(front_faces), bool), np.zeros(len(back_faces), bool)]


def main(out, frames=95):
    stage.clear()
    flat, side, faces, front = sewn()
    lift = .0015 * np.sin(23 * flat[:, 0] + 11 * flat[:, 1]) * np.abs(side)
    start = np.c_[flat[:, 0], side * APART + lift, flat[:, 1]]
    thing = shapes.mesh('tee', start.tolist(), faces.tolist())
    cloth = thing.modifiers.new('cloth', 'CLOTH')
    settings, contact = cloth.settings, cloth.collision_settings
    settings.quality, settings.mass = 7, .18
    settings.tension_stiffness = settings.compression_stiffness = 18
    settings.shear_stiffness, settings.bending_stiffness = 6, .35
    settings.tension_damping = settings.compression_damping = 8
    settings.shear_damping, settings.bending_damping, settings.air_damping = 6, .6, 2
    contact.distance_min, contact.self_distance_min = .003, .003
    contact.use_self_collision, contact.self_friction, contact.friction, contact.collision_quality = True, 5, 8, 3
    form = dress_form.form(None)
    form.scale = (1, THIN, 1)
    form.keyframe_insert('scale', frame=1)
    form.scale = (1, 1, 1)
    form.keyframe_insert('scale', frame=GROWN_FRAME)
    for frame, share in ((1, 0), (GROWN_FRAME, 0), (GROWN_FRAME + 12, 1)):  # a thin form would fall through between the points of the cloth
        settings.effector_weights.gravity = share
        settings.effector_weights.keyframe_insert('gravity', frame=frame)
    form.modifiers.new('collision', 'COLLISION')
    form.collision.cloth_friction, form.collision.thickness_outer = 8, .003
    points = simulation.points_after(int(frames), thing, cloth)
    np.savez_compressed(out, points=points, flat=flat.astype(np.float32), faces=faces.astype(np.uint16), front=front)
    print('tee on a form: %d points, from %s to %s' % (len(points), points.min(0).round(3), points.max(0).round(3)))


if __name__ == '__main__':
    arguments = sys.argv[sys.argv.index('--') + 1:]
    main(arguments[0], *arguments[1:])
