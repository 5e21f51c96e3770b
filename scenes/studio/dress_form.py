"""A T-shirt on a dress form: a cloth simulation kept as a file (meshes/tee_on_form.npz, made by simulate_tee_on_form.py)."""

import math
import os

import numpy as np

from . import drawn_tee, flat_cloth, shapes
from .upholstery import MESHES

AROUND = 96
# of the form: height in the shirt's cut, half of its breadth and of its depth, in metres
SECTIONS = ((-.46, .150, .100), (-.42, .166, .112), (-.34, .170, .116), (-.24, .158, .106), (-.14, .148, .099), (-.04, .154, .106), (.06, .168, .116),
            (.14, .176, .117), (.20, .180, .104), (.245, .172, .086), (.275, .146, .072), (.298, .112, .063), (.316, .080, .058), (.332, .062, .055),
            (.36, .055, .053), (.41, .053, .052))


def form(material):
    """The form's surface, closed at both ends."""
    z, breadth, depth = (shapes.smooth_curve([(h, b, d) for h, b, d in SECTIONS], 120)[:, i] for i in range(3))
    turn = np.arange(AROUND) * 2 * math.pi / AROUND
    power = .88  # a little squarer than an ellipse
    x = np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** power
    y = np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** power
    rings = np.stack([np.outer(breadth, x), np.outer(depth, y), np.repeat(z[:, None], AROUND, 1)], -1)
    faces = [(r * AROUND + k, r * AROUND + (k + 1) % AROUND, (r + 1) * AROUND + (k + 1) % AROUND, (r + 1) * AROUND + k)
             for r in range(len(z) - 1) for k in range(AROUND)]
    faces += [tuple(range(AROUND))[::-1], tuple((len(z) - 1) * AROUND + k for k in range(AROUND))]
    return shapes.mesh('form', rings.reshape(-1, 3).tolist(), faces, material, smooth=True)


def tee(shot, frame_name, color, area, location):
    """The shirt on its form; registers its frame with the shot. UV is that of the drawn shirt."""
    data = np.load(os.path.join(MESHES, 'tee_on_form.npz'))
    flat, front = data['flat'].astype(float), data['front']
    uv = flat / drawn_tee.UV_SIZE + .5
    material = drawn_tee.jersey(shot, frame_name, color, area)
    thing = shapes.mesh('tee', data['points'].tolist(), data['faces'].tolist(), material, smooth=True, uv=uv.tolist())
    is_back = np.ones(len(flat), bool)
    is_back[np.unique(data['faces'][front])] = False
    hem, along_hem = flat_cloth.nearest_line(flat, [flat_cloth.across(drawn_tee.HEM)])
    sleeve, along_sleeve = flat_cloth.nearest_line(flat, flat_cloth.both_sides(drawn_tee.SLEEVE_END))
    necks = [flat_cloth.nearest_line(flat, [flat_cloth.across(line[::-1])]) for line in (drawn_tee.NECK_FRONT, drawn_tee.NECK_BACK)]
    neck, along_neck = (np.where(is_back, necks[1][i], necks[0][i]) for i in (0, 1))
    along = np.choose(np.argmin([hem, sleeve, neck], 0), [along_hem, along_sleeve, along_neck])
    values = {'neck': neck, 'hem': hem, 'sleeve': sleeve, 'armhole': flat_cloth.beside_seam(flat, drawn_tee.ARMHOLE), 'along': along}
    for name, value in values.items():
        thing.data.attributes.new(name, 'FLOAT', 'POINT').data.foreach_set('value', value.astype(np.float32))
    thing.data.attributes.new('front', 'FLOAT', 'FACE').data.foreach_set('value', front.astype(np.float32))
    shapes.subdivide(thing, 1)
    thickness = thing.modifiers.new('cloth', 'SOLIDIFY')
    thickness.thickness, thickness.offset = .0009, 0
    thing.location = location
    shot.add_frame(frame_name, drawn_tee.PRINT_ASPECT, area=area)
    return thing
