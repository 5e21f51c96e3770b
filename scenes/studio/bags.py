"""A canvas bag that hangs from a peg: a cloth simulation kept as a file (meshes/tote.npz, made by simulate_tote.py) and its straps."""

import math
import os

import numpy as np

from . import materials, shapes, surface
from .nodes import MaterialBuilder, scaled
from .upholstery import MESHES

WIDTH, HEIGHT = .38, .42                 # metres, flat
MIDDLE, BOTTOM = -.045, 1.0              # where it hangs: in front of the wall y = 0, above the floor
STRAP_WIDTH, STRAP_SEWN = .028, .040     # width; how far the ends reach down the panel
STRAP_PLACE, HELD_PLACE = .080, .071     # from the middle: in the pattern, and as it hangs
HELD_DEPTH = .011                        # from the middle to the front and to the back
LEAN_DEGREES = 9.0
PEG_HEIGHT = BOTTOM + HEIGHT + .285
PRINT_WIDTH, PRINT_HEIGHT, PRINT_BOTTOM = .248, .310, .040
AREA = 'bag'                             # the color area
UV_SIZE = .5                             # metres that the UV square stands for, the panel's middle line at .5


def canvas_cloth(name, color, shot=None, frame_name=None):
    """Unbleached cotton canvas with hems and seams; with a frame name it carries the print. UV: half a metre a unit, see UV_SIZE."""
    weave = materials.Weave(name, color, 760, .55, roughness=.95, sheen=.15, slub=.8, variation=.16, wrinkles=(7, .30, .010))
    builder = weave.builder
    parts = builder.node('SeparateXYZ', {0: weave.uv})
    x = builder.multiply(builder.subtract(parts.outputs[0], .5), UV_SIZE)
    z = builder.multiply(parts.outputs[1], UV_SIZE)
    # the hem is a second layer of cloth: a step and a row of stitches
    below_rim = builder.subtract(HEIGHT, z)
    hem = builder.math('LESS_THAN', below_rim, .027)
    dashes = builder.math('GREATER_THAN', builder.math('SINE', builder.multiply(x, 2 * math.pi / .0036)), -.55)
    thread = builder.multiply(builder.near(below_rim, .0245, .0007), dashes)
    from_side = builder.subtract(WIDTH / 2, builder.math('ABSOLUTE', x))
    seam = builder.math('LESS_THAN', from_side, .004)
    step = builder.add(builder.multiply(hem, .8), builder.subtract(builder.multiply(seam, .5), builder.multiply(thread, .6)))
    builder.connect(weave.shader.inputs['Normal'], builder.bump(step, .6, .0010, weave.normal))
    tint = builder.mix(builder.multiply(thread, .35), weave.color, scaled(color, .55))
    if frame_name:
        u = builder.add(builder.math('DIVIDE', x, PRINT_WIDTH), .5)
        v = builder.math('DIVIDE', builder.subtract(z, PRINT_BOTTOM), PRINT_HEIGHT)
        mask = builder.multiply(builder.multiply(builder.within(u), builder.within(v)), builder.math('GREATER_THAN', builder.attribute('front'), .5))
        place = builder.node('CombineXYZ', {0: u, 1: v, 2: 0.0}).outputs[0]
        tint = surface.color_area(builder, shot, AREA, tint)
        tint = surface.printed(builder, tint, shot.artwork(frame_name), place, mask)
        surface.write_aov(builder, frame_name, place, mask)
        shot.add_frame(frame_name, PRINT_WIDTH / PRINT_HEIGHT, area=AREA)
    builder.connect(weave.shader.inputs['Base Color'], tint)
    return weave.material


def strap_cloth(name, color, shot):
    """The same cotton as a woven band: threads along it, a row of stitches near both edges. UV: metres across and along."""
    builder = MaterialBuilder(name)
    parts = builder.node('SeparateXYZ', {0: builder.node('TexCoord').outputs['UV']})
    across, along = parts.outputs[0], parts.outputs[1]
    flat = builder.node('CombineXYZ', {0: across, 1: along, 2: 0.0}).outputs[0]
    threads = builder.noise(builder.mapped(flat, (1500, 160, 1)), 1, 2, .6)
    ribs = builder.math('SINE', builder.multiply(along, 2 * math.pi / .0022))
    dashes = builder.math('GREATER_THAN', builder.math('SINE', builder.multiply(along, 2 * math.pi / .0036)), -.55)
    stitches = builder.multiply(builder.near(builder.math('ABSOLUTE', across), STRAP_WIDTH / 2 - .0032, .0006), dashes)
    tint = builder.mix(builder.multiply(threads, .5), color, scaled(color, .70))
    tint = builder.mix(builder.multiply(stitches, .4), tint, scaled(color, .5))
    tint = surface.color_area(builder, shot, AREA, tint)
    height = builder.subtract(builder.add(builder.multiply(threads, .6), builder.multiply(ribs, .25)), stitches)
    builder.principled(Base_Color=tint, Roughness=.95, Specular=.1, Normal=builder.bump(height, .5, .0006))
    return builder.material


def ribbon(name, path, normals, width, material):
    """A band along `path` whose flat side faces `normals`; UV in metres, across and along."""
    vertices, faces, uv, along = [], [], [], 0.0
    for i, (point, normal) in enumerate(zip(path, normals)):
        tangent = path[min(i + 1, len(path) - 1)] - path[max(i - 1, 0)]
        aside = np.cross(normal, tangent)
        aside /= np.linalg.norm(aside)
        along += np.linalg.norm(point - path[i - 1]) if i else 0
        for k in (-.5, -.17, .17, .5):
            vertices.append(point + aside * k * width)
            uv.append((k * width, along))
    for i in range(len(path) - 1):
        for k in range(3):
            a = i * 4 + k
            faces.append((a, a + 1, a + 5, a + 4))
    thing = shapes.mesh(name, vertices, faces, material, smooth=True, uv=uv)
    thickness = thing.modifiers.new('cloth', 'SOLIDIFY')
    thickness.thickness, thickness.offset = .0022, 0
    shapes.subdivide(thing, 1)
    return thing


def strap(panel, on_peg):
    """(path, normals) of a strap between the two places where it is sewn to a panel (-1 the front, 1 the back); a quarter turn lays it on the peg."""
    path, normals = [], []
    outward = np.array([0, panel, .0])
    for sign in (-1, 1):
        lean = np.array([-sign * math.sin(math.radians(LEAN_DEGREES)), 0, math.cos(math.radians(LEAN_DEGREES))])
        rim = np.array([sign * HELD_PLACE, MIDDLE + panel * (HELD_DEPTH + .0022), BOTTOM + HEIGHT])
        top = np.array([sign * .0085, on_peg, PEG_HEIGHT - .002])
        side = []
        for t in (0, .35, .7, 1.0):  # sewn on
            side.append((rim + lean * (t - 1) * (STRAP_SEWN - .004), outward))
        pull = (top - rim) / np.linalg.norm(top - rim)
        for i in range(1, 25):
            t = i / 24
            bow = np.array([-sign * .006, panel * .004, 0]) * math.sin(math.pi * t)
            turn = math.radians(90) * (3 * t * t - 2 * t ** 3)
            normal = outward * math.cos(turn) + np.array([sign, 0, 0]) * math.sin(turn)
            side.append((rim + (top - rim) * t + bow, normal - pull * normal.dot(pull)))
        path_side, normal_side = [p for p, _ in side], [n / np.linalg.norm(n) for _, n in side]
        if sign < 0:
            path, normals = path_side, normal_side
            for angle in (150, 120, 90, 60, 30):  # over the peg
                around = np.array([math.cos(math.radians(angle)), 0, math.sin(math.radians(angle))])
                path.append(np.array([0, on_peg, PEG_HEIGHT]) + around * .0090)
                normals.append(around)
        else:
            path += path_side[::-1]
            normals += normal_side[::-1]
    return path, normals


def tote(shot, frame_name, color, hang_at):
    """The bag on its peg, all of it the shot's color area 'bag'; `hang_at` is (x, floor height) of its middle. Registers its frame with the shot; returns the peg's center on the wall."""
    data = np.load(os.path.join(MESHES, 'tote.npz'))
    flat = data['flat']
    uv = np.c_[flat[:, 0] / UV_SIZE + .5, flat[:, 1] / UV_SIZE]
    bag = shapes.mesh('tote', data['points'].tolist(), data['quads'].tolist(), None, smooth=True, uv=uv.tolist())
    bag.data.attributes.new('front', 'FLOAT', 'FACE').data.foreach_set('value', data['front'].astype(np.float32))
    shapes.subdivide(bag, 2)
    thickness = bag.modifiers.new('cloth', 'SOLIDIFY')
    thickness.thickness, thickness.offset = .0011, 0
    bag.data.materials.append(canvas_cloth('canvas', color, shot, frame_name))
    band = strap_cloth('strap', color, shot)
    x, lift = hang_at
    for panel, on_peg in ((-1, MIDDLE - .018), (1, MIDDLE + .016)):
        thing = ribbon('strap', *strap(panel, on_peg), STRAP_WIDTH, band)
        thing.location = (x, 0, lift)
    bag.location = (x, 0, lift)
    return x, lift + PEG_HEIGHT
