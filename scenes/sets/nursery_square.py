"""A square picture in a pale frame above a nursery dresser: wooden rainbow, building blocks, a painted half wall."""

import math

from mathutils import Vector

from studio import frames, furniture, lights, materials, shapes, surface
from studio.nodes import linear

TEMPLATE = {
    'id': 'square-frame-nursery',
    'name': 'Square frame in a nursery',
    'category': 'Wall Art',
    'type': 'print',
    'surface_type': None,
    'render_mode': 'corners',
    'picture_ratio': 1,
    'seed': 5,
}
TOP = .84


def rainbow(x, y, z, radius=.105):
    """The wooden arches that every nursery has: four bent planks, painted thinly so that the grain is seen."""
    step = radius * .19
    for i, color in enumerate(('#c9735b', '#dfa45f', '#8fa58c', '#6f8ea0')):
        outer, inner, depth = radius - i * step, radius - (i + 1) * step + .0012, .038
        paint = materials.wood('painted arch %d' % i, 'X', (color, color, color, color), roughness=.6, scale=1.6)
        vertices, faces, count = [], [], 40
        for k in range(count + 1):
            angle = math.pi * k / count
            c, s = math.cos(angle), math.sin(angle)
            vertices += [(outer * c, -depth / 2, outer * s), (outer * c, depth / 2, outer * s), (inner * c, depth / 2, inner * s), (inner * c, -depth / 2, inner * s)]
        for k in range(count):
            a, b = 4 * k, 4 * k + 4
            faces += [(a, b, b + 1, a + 1), (a + 1, b + 1, b + 2, a + 2), (a + 2, b + 2, b + 3, a + 3), (a + 3, b + 3, b, a)]
        faces += [(0, 1, 2, 3), (4 * count + 3, 4 * count + 2, 4 * count + 1, 4 * count)]
        arch = shapes.mesh('arch', vertices, faces, paint)
        shapes.round_edges(arch, .0022, 3, 35)
        arch.modifiers['edges'].limit_method = 'ANGLE'
        arch.location, arch.rotation_euler = (x, y, z), (0, 0, math.radians(-9))


def blocks(random, x, y, z):
    side = .044
    places = ((0, 0, 0, '#e3cfae'), (.050, .006, 0, '#c9735b'), (.024, .002, 1, '#8fa58c'))
    for i, (dx, dy, level, color) in enumerate(places):
        paint = materials.wood('block %d' % i, 'XYZ'[i % 3], (color, color, color, color), roughness=.55, scale=1.8)
        shapes.box('block', (x + dx, y + dy, z + side / 2 + level * side), (side, side, side), paint, .003, rotation=(0, 0, random.uniform(-.35, .35)))


def bunting(random, z):
    """Cotton pennants on a string across the wall, sagging."""
    colors = ('#d9a78f', '#e9dcc6', '#9fb0a0', '#e3bd7c', '#93a9b5')
    points = [(-.95 + 1.9 * i / 40, -.012, z - .10 * (1 - (2 * i / 40 - 1) ** 2)) for i in range(41)]
    shapes.tube('string', points, .0016, materials.plain('string', linear('#e7ddcb'), .9))
    for i in range(11):
        middle = int(2 + i * 3.6)
        px, _, pz = points[middle]
        cloth = materials.Weave('pennant %d' % i, linear(colors[i % 5]), 300, .5, sheen=.4, variation=.2, wrinkles=(6, .5, .004)).material
        half, long = .058, .135
        swing = random.uniform(-.06, .06)
        vertices, faces, uv, rows = [], [], [], 10
        for r in range(rows + 1):
            t = r / rows
            for c in range(7):
                s = c / 6 * 2 - 1
                vertices.append((px + s * half * (1 - t * .98) + swing * t * long, -.022 - .010 * math.sin(t * 2.6 + i) * (.3 + t) - .004 * math.sin(s * 4 + i), pz - t * long))
                uv.append((s * .1, t * .27))
        for r in range(rows):
            for c in range(6):
                a = r * 7 + c
                faces.append((a, a + 1, a + 8, a + 7))
        shapes.mesh('pennant', vertices, faces, cloth, smooth=True, uv=uv)


def build(shot):
    random = shot.random
    shapes.wall('wall', materials.plaster('wall', linear('#f0e9de'), .28, .04))
    # the lower half is painted; the paint's edge is 1 mm thick
    shapes.box('painted half', (0, -.0002, .25), (8, .002, 1.9), materials.plaster('half wall', linear('#c3cfc4'), .28, .05), .0006)
    shapes.box('floor', (0, -3, -.05), (9, 6, .1), materials.wood('floor', 'X', materials.WHITE_OAK))
    ash = (materials.wood('ash across', 'X', materials.ASH), materials.wood('ash upright', 'Z', materials.ASH))
    artwork = frames.picture_frame('F1', (.02, -.003, 1.50), .50, .50, .022, .028, ash, surface.paper('F1', shot.artwork('F1')), mat_width=.05,
                                   mat_material=materials.plain('mat board', linear('#f6f3ec'), .85, .2), lean_degrees=.4)
    shot.add_frame('F1', 1.0, artwork)
    bunting(random, 2.16)

    white = materials.plain('lacquer', linear('#ece8e0'), .38, .4)
    shapes.box('dresser top', (0, -.22, TOP - .014), (1.7, .44, .028), materials.wood('dresser top', 'X', materials.ASH, .95, .38), .003)
    shapes.box('dresser', (0, -.21, TOP - .30), (1.64, .40, .54), materials.plain('gap', linear('#4d463d'), .8), 0)
    ashen = materials.wood('knob', 'Z', materials.ASH, .9)
    for x in (-.545, 0, .545):
        for row in range(2):
            shapes.box('drawer', (x, -.415, TOP - .155 - row * .25), (.538, .018, .243), white, .003)
            for side in (-.12, .12):
                knob = shapes.lathe('knob', [(0, 0), (.008, 0), (.008, .010), (.016, .016), (.018, .024), (.013, .030), (0, .031)], ashen, 40)
                knob.rotation_euler, knob.location = (math.pi / 2, 0, 0), (x + side, -.424, TOP - .155 - row * .25)
    rainbow(-.42, -.22, TOP)
    blocks(random, .33, -.25, TOP)
    end = furniture.books(random, .52, -.16, TOP, ('#d9a78f', '#e9dcc6', '#7f93a0', '#c9b48c', '#a8b5a2'), lying=False, width=.24)
    shapes.box('book end', (end + .012, -.16, TOP + .05), (.02, .12, .10), materials.wood('book end', 'Z', materials.ASH), .003)
    cactus(random, -.66, -.20)
    shot.camera((-.42, -3.0, 1.45), (-.01, 0, 1.40), 63)

    noon = Vector((-.72, 1.0, -.66)).normalized()
    window = lights.Window((.30, 0, 1.22), noon, 1.5, 1.9, bars_x=(.20,), bars_y=(-.46,), bar=.032, distance=2.4)
    window.twigs(random, [(.85, 1.0, -2.5, .8), (.85, .3, 2.9, .45), (-.9, 1.0, -.7, .5)], .10)
    lights.sun(noon, 2.7, 1.4, (1, .93, .83))
    lights.soft_box((2.4, -2.2, 2.2), (0, 0, 1.2), 1.8, 2.0, 48, (1, .98, .96))
    lights.sky((.90, .95, 1.0), .50)


def cactus(random, x, y):
    """A small ribbed cactus in a white pot."""
    pot = shapes.turned_profile([(0, 0), (.034, 0), (.044, .015), (.050, .060), (.051, .068), (.046, .068), (.044, .058), (0, .056)], 40)
    shapes.lathe('pot', pot, materials.stoneware('pot', linear('#e9e3d8'), linear('#d5ccbc'), .5), 80).location = (x, y, TOP)
    green = materials.plain('cactus', linear('#5f7f5a'), .6, .3)
    ribs, rings, around = 12, 26, 144
    vertices, faces = [], []
    for i in range(rings + 1):
        t = i / rings
        radius = .034 * math.sin(math.pi * min(1, .18 + .82 * t) ** .9) + .0005
        for k in range(around):
            angle = 2 * math.pi * k / around
            swell = 1 + .10 * abs(math.cos(ribs * angle / 2)) - .05
            vertices.append((radius * swell * math.cos(angle), radius * swell * math.sin(angle), .05 + .115 * t))
    for i in range(rings):
        for k in range(around):
            following = (k + 1) % around
            faces.append((i * around + k, i * around + following, (i + 1) * around + following, (i + 1) * around + k))
    shapes.mesh('cactus', vertices, faces, green, smooth=True).location = (x, y, TOP)
