"""A large stretched canvas above a bed with linen pillows; soft morning light, the picture runs on around the canvas's sides."""

import math

from mathutils import Vector

from studio import lights, materials, plants, shapes, surface, upholstery
from studio.nodes import linear

TEMPLATE = {
    'id': 'large-canvas-bedroom',
    'name': 'Large canvas above a bed',
    'category': 'Wall Art',
    'type': 'print',
    'surface_type': None,
    'render_mode': 'uvmap',
    'picture_ratio': 5 / 4,
    'seed': 31,
}
WIDTH, HEIGHT, DEPTH = 1.20, .80, .038


def stretched_canvas(shot, frame_name, center):
    """A box with rounded edges; its sides carry the picture's margin, mirrored, as print shops do it."""
    half_w, half_h = WIDTH / 2, HEIGHT / 2
    radius, steps = .006, 5
    # profile from the front face's rim around the edge to the wall: (inset of the front, depth, how far around the edge in metres)
    rim = []
    for i in range(steps + 1):
        a = math.pi / 2 * i / steps
        rim.append((radius * (1 - math.sin(a)), DEPTH - radius * (1 - math.cos(a)), radius * a))
    rim.append((0, 0, radius * math.pi / 2 + DEPTH - radius))
    vertices, uv, faces = [], [], []
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    for inset, depth, around in rim:
        for sx, sz in corners:
            vertices.append((sx * (half_w - inset), -depth, sz * (half_h - inset)))
            uv.append(None)
    for ring in range(len(rim) - 1):
        for k in range(4):
            j = (k + 1) % 4
            a, b = ring * 4, (ring + 1) * 4
            faces.append((a + k, b + k, b + j, a + j))
    faces.append((0, 1, 2, 3))
    thing = shapes.mesh('canvas', vertices, faces, surface.canvas(frame_name, shot.artwork(frame_name), threads=1400.0), smooth=True)
    layer = thing.data.uv_layers.new(name='UVMap')
    for polygon in thing.data.polygons:
        for index in polygon.loop_indices:
            number = thing.data.loops[index].vertex_index
            ring, corner = divmod(number, 4)
            inset, depth, around = rim[ring]
            sx, sz = corners[corner]
            du, dv = (.5 - radius / WIDTH), (.5 - radius / HEIGHT)
            u, v = .5 + sx * du, .5 + sz * dv
            if polygon.index < (len(rim) - 1) * 4:
                side = polygon.index % 4  # 0 bottom, 1 right, 2 top, 3 left: the margin folds over this side
                reach = around
                if side in (0, 2):
                    v -= sz * max(0, reach - radius) / HEIGHT - sz * min(reach, radius) / HEIGHT
                else:
                    u -= sx * max(0, reach - radius) / WIDTH - sx * min(reach, radius) / WIDTH
            layer.data[index].uv = (u, v)
    thing.data.use_auto_smooth = True
    thing.data.auto_smooth_angle = math.radians(40)
    thing.location, thing.rotation_euler = center, (math.radians(-.35), 0, 0)
    shot.add_frame(frame_name, WIDTH / HEIGHT)
    return thing


def bed():
    oat = materials.Weave('headboard', linear('#b5a48e'), 620, .8, sheen=.5, variation=.34, wrinkles=(4, .2, .015)).material
    for i, x in enumerate((-.80, 0, .80)):
        upholstery.padded_block('headboard %d' % i, (x, -.07, .62), (.80, .11, .78), .035, oat, bulge=.022, character=2 + i)
    colors = {'white': '#dfdad0', 'sand': '#cdbca3', 'green': '#76806b'}
    cloth = {name: materials.Weave(name + ' linen', linear(color), 460, .5, sheen=.4, variation=.18, wrinkles=(9, .2, .012)).material
             for name, color in colors.items()}
    for name, x, y, z, size, tilt, turn, character in (
            ('white', -.52, -.24, .72, 1.34, 70, 3, 1), ('white', .50, -.24, .72, 1.34, 70, -4, 2), ('sand', -.34, -.42, .66, 1.10, 66, -6, 4),
            ('sand', .36, -.42, .66, 1.10, 67, 7, 5), ('green', .02, -.58, .59, .92, 62, -3, 3)):
        upholstery.drawn_pillow('pillow', cloth[name], (x, y, z), (math.radians(tilt), math.radians(turn * .5), math.radians(turn)), .46 * size, .10 * size, character)
    upholstery.padded_block('duvet', (0, -1.15, .36), (1.9, 1.6, .22), .07, cloth['white'], bulge=.06, character=9)


def bedside(random):
    oak = materials.wood('bedside', 'X', materials.WHITE_OAK, .95)
    shapes.box('bedside top', (1.30, -.24, .585), (.48, .40, .03), oak, .003)
    shapes.box('bedside body', (1.30, -.23, .40), (.45, .37, .34), materials.wood('bedside body', 'X', materials.WHITE_OAK, .9), .003)
    vase = shapes.turned_profile([(0, 0), (.05, 0), (.075, .03), (.085, .10), (.07, .17), (.034, .22), (.030, .26), (.037, .275)], 60)
    shapes.lathe('vase', vase + [(.033, .275)] + [(max(0, r - .005), z) for r, z in vase[::-1] if z > .02],
                 materials.stoneware('vase', linear('#efe9df'), linear('#dcd3c4'), .7), 96).location = (1.24, -.24, .60)
    green, stem = materials.leaf('leaf', linear('#7c8a68'), .3), materials.plain('stem', linear('#6b5a3a'), .7)
    for dx, dy, length, curve in ((-.30, -.1, .52, .3), (.20, -.12, .50, .25), (-.08, -.2, .62, .2), (.1, .12, .45, .3), (-.18, .1, .46, .35)):
        plants.branch((1.24 + dx * .03, -.24 + dy * .03, .82), (dx, dy, 1), length, green, stem, random, 20, (.075, .048), curve)


def build(shot):
    random = shot.random
    shapes.wall('wall', materials.plaster('wall', linear('#e3d8c9'), .55, .07))
    stretched_canvas(shot, 'F1', (-.02, -.002, 1.60))
    bed()
    bedside(random)
    shot.camera((-.62, -3.9, 1.42), (.06, 0, 1.27), 58)

    morning = Vector((.78, 1.0, -.50)).normalized()
    window = lights.Window((.05, 0, 1.35), morning, 1.9, 2.1, bars_y=(-.62,), bar=.04, distance=2.8)
    window.twigs(random, [(-.98, 1.0, -.6, .8), (-1.0, .2, .1, .5), (1.0, 1.0, -2.4, .8)], .12)
    lights.sun(morning, 2.35, 1.5, (1, .92, .81))
    lights.soft_box((-2.8, -2.4, 2.3), (0, 0, 1.2), 2.0, 2.0, 64, (1, .98, .95))
    lights.sky((.88, .94, 1.0), .45)
