"""A T-shirt, flat on a table: a cloth simulation kept as a file (meshes/tee.npz, made by simulate_tee.py), dressed in jersey."""

import math
import os

import numpy as np

from . import shapes, surface
from .nodes import MaterialBuilder, linear, scaled
from .upholstery import MESHES

UV_SIZE = .9                                # metres that the UV square stands for, the chest at its middle
PRINT_LEFT, PRINT_RIGHT = -.145, .145       # metres from the shirt's middle line
PRINT_BOTTOM, PRINT_TOP = -.2125, .150
PRINT_ASPECT = (PRINT_RIGHT - PRINT_LEFT) / (PRINT_TOP - PRINT_BOTTOM)


def smoothed(points, triangles, seam_distance):
    """The simulation with its raggedness taken out: the cloth a little, the open edges more, seams not at all."""
    edges = np.unique(np.sort(np.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), 1), axis=0)
    free = np.where(seam_distance < .006, 0.0, 1.0)[:, None]
    for _ in range(2):
        total, count = np.zeros_like(points), np.zeros(len(points))
        for a, b in ((0, 1), (1, 0)):
            np.add.at(total, edges[:, a], points[edges[:, b]])
            np.add.at(count, edges[:, a], 1)
        points = points + .35 * (total / count[:, None] - points) * free
    rim = np.where(seam_distance < .0045)[0]
    on_rim = set(rim.tolist())
    beside = {i: [] for i in rim}
    for a, b in edges:
        if a in on_rim and b in on_rim:
            beside[a].append(b)
            beside[b].append(a)
    for _ in range(7):
        moved = points.copy()
        for i in rim:
            if len(beside[i]) >= 2:
                moved[i] = points[i] * .5 + .5 * points[beside[i]].mean(0)
        points = moved
    points[:, 2] = np.maximum(points[:, 2], .0012)
    return points


def print_places(flat, points, triangles, rounds=14):
    """Where every point of the shirt lies on the flat pattern, for the print: what the simulation moved, without its raggedness.

    Mesh triangles (1 cm) that slid sideways would give a printed circle corners; folds of the cloth are far longer and stay.
    """
    edges = np.unique(np.sort(np.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), 1), axis=0)
    moved = flat - points[:, :2]
    for _ in range(rounds):
        total, count = np.zeros_like(moved), np.zeros(len(moved))
        for a, b in ((0, 1), (1, 0)):
            np.add.at(total, edges[:, a], moved[edges[:, b]])
            np.add.at(count, edges[:, a], 1)
        moved = moved + .6 * (total / count[:, None] - moved)
    return points[:, :2] + moved


def jersey(shot, frame_name, color, dye=None, area=None):
    """Cotton jersey with ribbed collar, hems and double seams, and the print on the chest.

    The knit is drawn with stretched noise, not with rows of stitches: those are 2-3 px wide in a scene of this size and make moire.
    Print coordinates come from the UV layer, which subdivision smooths; plain attributes would give the print wobbly edges.

    A dark shirt is printed on white underbase ink: `color` is the ink and `dye` what the cloth is, as a share of it ('#rrggbb'). The
    frame's surface color is the dye, so that clear artwork shows cloth that cannot be told from the cloth around it. That takes a
    surface whose light is all multiplied by its color: no sheen. `area` names the color area that the shirt is.
    """
    builder = MaterialBuilder('jersey')
    neck, hem, sleeve = (builder.attribute(name) for name in ('neck', 'hem', 'sleeve'))
    uv = builder.node('SeparateXYZ', {0: builder.node('TexCoord').outputs['UV']})
    x, y = (builder.multiply(builder.subtract(uv.outputs[i], .5), UV_SIZE) for i in (0, 1))
    flat = builder.node('CombineXYZ', {0: x, 1: y, 2: 0.0}).outputs[0]

    wales = builder.noise(builder.mapped(flat, (760, 210, 1)), 1, 2, .6)
    courses = builder.noise(builder.mapped(flat, (240, 900, 1)), 1, 2, .6)
    knit = builder.add(builder.multiply(wales, .7), builder.multiply(courses, .3))
    rib = builder.math('SINE', builder.multiply(builder.math('ARCTAN2', x, builder.subtract(y, .40)), 150.0))
    collar = builder.math('LESS_THAN', neck, .019)
    stitches = None
    for distance, place, width in ((neck, .0195, .0009), (hem, .022, .0006), (sleeve, .022, .0006), (hem, .0265, .0005), (sleeve, .0265, .0005),
                                   (neck, .0235, .0005)):
        line = builder.near(distance, place, width)
        stitches = line if stitches is None else builder.math('MAXIMUM', stitches, line)
    hems = builder.math('MAXIMUM', builder.math('LESS_THAN', hem, .022), builder.math('LESS_THAN', sleeve, .022))
    step = builder.add(builder.multiply(collar, .9), builder.multiply(hems, .5))
    step = builder.subtract(step, builder.multiply(stitches, .9))
    creases = builder.noise(builder.mapped(flat, (9, 5, 1), (0, 0, .5)), 1.6, 3, .5, .8)
    rumple = builder.noise(flat, 38, 5, .6)
    normal = builder.bump(builder.add(builder.multiply(creases, 6.0), rumple), .20, .0016)
    normal = builder.bump(step, .55, .0011, normal)
    normal = builder.bump(builder.mix(collar, knit, builder.multiply(rib, .8)), .40, .0004, normal)

    tint = builder.mix(builder.multiply(knit, .26), color, scaled(color, .74))
    tint = builder.mix(builder.multiply(stitches, .35), tint, scaled(color, .55))
    if area and dye:
        surface.write_color_aov(builder, area)
        dye = shot.dyes.get(area, dye)
    elif area:
        tint = surface.color_area(builder, shot, area, tint)
    u = builder.math('DIVIDE', builder.subtract(x, PRINT_LEFT), PRINT_RIGHT - PRINT_LEFT)
    v = builder.math('DIVIDE', builder.subtract(y, PRINT_BOTTOM), PRINT_TOP - PRINT_BOTTOM)
    mask = builder.multiply(builder.multiply(builder.within(u), builder.within(v)), builder.math('GREATER_THAN', builder.attribute('front'), .5))
    place = builder.node('CombineXYZ', {0: u, 1: v, 2: 0.0}).outputs[0]
    tint = surface.printed(builder, tint, shot.artwork(frame_name), place, mask)
    if dye:
        tint = builder.mix(mask, builder.mix(1.0, tint, linear(dye), 'MULTIPLY'), tint)
    cloth = builder.node('BsdfPrincipled', {'Base Color': tint, 'Roughness': .72 if dye else .9, 'Specular': .22 if dye else .12,
                                            'Sheen': 0 if dye else .25, 'Normal': normal})
    through = builder.node('BsdfTranslucent', {'Color': tint, 'Normal': normal})
    builder.surface(builder.node('MixShader', {0: .12, 1: cloth.outputs[0], 2: through.outputs[0]}).outputs[0])
    surface.write_aov(builder, frame_name, place, mask)
    return builder.material


def tee(shot, frame_name, color, label_material, mesh='tee', dye=None, area=None):
    """The shirt lies on z = 0 with its collar towards +y; registers its frame with the shot. For `dye` and `area` see jersey()."""
    data = np.load(os.path.join(MESHES, mesh + '.npz'))
    flat, triangles, is_front = data['V2'], data['T'], data['isf']
    points = smoothed(data['co'].astype(float), triangles, data['dse'])
    thing = shapes.mesh('tee', points.tolist(), triangles.tolist(), None, smooth=True,
                        uv=(print_places(flat, points, triangles) / UV_SIZE + .5).tolist())
    for name, values in (('neck', data['dn']), ('hem', data['dh']), ('sleeve', data['ds'])):
        thing.data.attributes.new(name, 'FLOAT', 'POINT').data.foreach_set('value', values.astype(np.float32))
    thing.data.attributes.new('front', 'FLOAT', 'FACE').data.foreach_set('value', data['ff'].astype(np.float32))
    shapes.subdivide(thing, 2)
    thickness = thing.modifiers.new('cloth', 'SOLIDIFY')
    thickness.thickness, thickness.offset = .0007, 0
    thing.data.materials.append(jersey(shot, frame_name, color, dye, area))
    shot.add_frame(frame_name, PRINT_ASPECT, surface_color=dye, area=area)
    inside_back = [i for i in range(len(flat)) if not is_front[i] and abs(flat[i, 0]) < .02 and flat[i, 1] > .27]
    middle = points[inside_back].mean(0)
    label = shapes.box('label', (middle[0], middle[1] - .004, points[inside_back][:, 2].max() + .0016), (.046, .030, .0008), label_material, .0003,
               rotation=(0, 0, math.radians(1.5)))
    label.parent = thing
    return thing
