"""An unframed poster hung with two black clips on a concrete wall; a chair back and a rubber plant beside it."""

import math

from mathutils import Vector

from studio import furniture, lights, materials, plants, shapes, surface
from studio.nodes import MaterialBuilder, linear, scaled

TEMPLATE = {
    'id': 'poster-with-clips',
    'name': 'Poster with clips on concrete',
    'category': 'Wall Art',
    'type': 'print',
    'surface_type': None,
    'render_mode': 'uvmap',
    'picture_ratio': 4 / 5,
    'seed': 17,
}
WIDTH, HEIGHT = .50, .70
CENTER = (0, 1.52)  # x, z
DESK = .745


def concrete(name, color):
    """Cast concrete: broad stains, fine sand, air holes."""
    builder = MaterialBuilder(name)
    position = builder.coordinates()
    stains = builder.noise(position, 1.6, 6, .6, .6)
    cloud = builder.noise(position, 6, 6, .65)
    sand = builder.noise(position, 260, 3, .6)
    cells = builder.node('TexVoronoi', {'Vector': position, 'Scale': 34.0}).outputs[0]
    rare = builder.math('GREATER_THAN', builder.noise(position, 17, 2), .60)
    holes = builder.multiply(builder.math('LESS_THAN', cells, .085), rare)
    tint = builder.mix(stains, scaled(color, .78), scaled(color, 1.14))
    tint = builder.mix(builder.multiply(cloud, .35), tint, scaled(color, .70))
    tint = builder.mix(builder.multiply(sand, .22), tint, scaled(color, .66))
    tint = builder.mix(builder.multiply(holes, .55), tint, scaled(color, .35))
    height = builder.add(builder.multiply(cloud, .5), builder.multiply(sand, .10))
    height = builder.subtract(height, builder.multiply(holes, .6))
    builder.principled(Base_Color=tint, Roughness=.85, Specular=.25, Normal=builder.bump(height, .4, .006))
    return builder.material


def poster(shot, frame_name):
    """Heavy paper that hangs from two points: the lower corners curl off the wall, the top sags a little between the clips."""
    columns, rows = 40, 56
    vertices, faces, uv = [], [], []
    for r in range(rows + 1):
        v = r / rows  # 0 at the bottom
        for c in range(columns + 1):
            u = c / columns
            x, z = (u - .5) * WIDTH, (v - .5) * HEIGHT
            low = (1 - v) ** 3
            curl = .020 * low * (.35 + 1.3 * abs(u - .46) ** 1.6)
            side = .006 * (2 * abs(u - .5)) ** 3 * (1 - v) ** .5
            wave = .0016 * math.sin(u * 5.2 + 1.1) * (1 - v) + .0010 * math.sin(v * 6 + u * 2)
            sag = -.0012 * math.sin(math.pi * min(1, max(0, (u - .2) / .6))) * v ** 8
            vertices.append((x * (1 - .002 * low), -.0045 - curl - side - wave, z + sag))
            uv.append((u, v))
    for r in range(rows):
        for c in range(columns):
            a = r * (columns + 1) + c
            faces.append((a, a + 1, a + columns + 2, a + columns + 1))
    sheet = shapes.mesh('poster', vertices, faces, surface.paper(frame_name, shot.artwork(frame_name), .86, .5, .3), smooth=True, uv=uv)
    thickness = sheet.modifiers.new('paper', 'SOLIDIFY')
    thickness.thickness, thickness.offset = .0003, -1
    shapes.subdivide(sheet, 1)
    sheet.modifiers['smooth'].boundary_smooth = 'PRESERVE_CORNERS'
    sheet.location = (CENTER[0], 0, CENTER[1])
    sheet.rotation_euler = (0, math.radians(.25), 0)
    shot.add_frame(frame_name, WIDTH / HEIGHT)


def clip(x, z):
    """A fold-back clip hanging from a nail."""
    black = materials.plain('black steel', linear('#141414'), .32, .5)
    steel = materials.metal('steel', linear('#c4c2bd'), .25)
    profile = [(-.0062, 0), (-.0012, .017), (0, .019), (.0012, .017), (.0062, 0)]
    vertices, faces, half = [], [], .016
    for side in (-half, half):
        vertices += [(x + side, -.006 + y, z + .019 - h) for y, h in profile]
    # the body hangs over the paper's edge: wide at the top, closed at the paper
    count = len(profile)
    faces = [(i, i + 1, count + i + 1, count + i) for i in range(count - 1)]
    body = shapes.mesh('clip', vertices, faces, black)
    thick = body.modifiers.new('steel', 'SOLIDIFY')
    thick.thickness = .0006
    shapes.box('clip top', (x, -.006, z + .0195), (.032, .0135, .0012), black, .0005)
    for y, rise in ((-.0125, -.014), (-.0008, .030)):
        wire = [(x - .007, y + .002, z + .017), (x - .0075, y - (.004 if rise < 0 else -.001), z + .012 + rise * .6),
                (x - .004, y - (.006 if rise < 0 else -.002), z + .017 + rise), (x + .004, y - (.006 if rise < 0 else -.002), z + .017 + rise),
                (x + .0075, y - (.004 if rise < 0 else -.001), z + .012 + rise * .6), (x + .007, y + .002, z + .017)]
        shapes.tube('wire', shapes.smooth_curve(wire, 40), .0009, steel)
    shapes.tube('nail', [(x, 0, z + .046), (x, -.014, z + .0475)], .0011, steel)
    head = shapes.lathe('nail head', [(0, 0), (.0032, 0), (.0034, .0008), (0, .0012)], steel, 24)
    head.rotation_euler, head.location = (math.radians(86), 0, 0), (x, -.0135, z + .0475)


def desk(random):
    top = materials.wood('desk', 'X', materials.ASH, .92, .4)
    shapes.box('desk top', (0, -.34, DESK - .014), (2.2, .66, .028), top, .003)
    furniture.books(random, .42, -.22, DESK, ('#2f3f45', '#b9583c', '#d8cfc0'), width=.27)
    mug = shapes.turned_profile([(0, .004), (.030, .003), (.036, .008), (.039, .03), (.040, .085), (.039, .092), (.037, .086), (.035, .02), (0, .012)], 60)
    shapes.lathe('pencil cup', mug, materials.stoneware('cup', linear('#d9d3c8'), linear('#c3b9a8'), .55), 80).location = (-.27, -.20, DESK)
    for i, (lean, color, long) in enumerate(((.12, '#c79a4b', .17), (-.16, '#2b2b2b', .16), (.05, '#a84a36', .175), (-.04, '#3f5b4a', .15))):
        angle = i * 1.7
        foot, tip = (-.27 + .012 * math.cos(angle), -.20 + .012 * math.sin(angle), DESK + .02), Vector((lean, .5 * lean * math.sin(angle), 1)).normalized() * long
        end = (foot[0] + tip.x, foot[1] + tip.y, foot[2] + tip.z)
        shapes.tube('pencil', [foot, end], .0036, materials.plain('pencil', linear(color), .35), sides=6)
        cone = [(end[0] + tip.x * t * .09, end[1] + tip.y * t * .09, end[2] + tip.z * t * .09) for t in (0, .5, 1)]
        shapes.tube('tip', cone, [.0034, .0018, .0003], materials.plain('pencil wood', linear('#d9b585'), .7), sides=6)
    green = materials.plain('rubber leaf', linear('#33472f'), .28, .5)
    stem = materials.plain('stem', linear('#4c4334'), .7)
    pot = shapes.turned_profile([(0, 0), (.058, 0), (.070, .01), (.085, .12), (.086, .135), (.080, .135), (.076, .11), (0, .108)], 50)
    shapes.lathe('pot', pot, materials.stoneware('pot', linear('#b98d6c'), linear('#a2765a'), .8, 40), 96).location = (-.58, -.24, DESK)
    for k, (dx, dy, length) in enumerate(((-.16, -.1, .50), (.12, -.12, .40), (-.02, .1, .56))):
        plants.branch((-.58, -.24, DESK + .10), (dx, dy, 1), length, green, stem, random, 9, (.135, .080), .22, .004, lift=.05, first_leaf=.25)


def build(shot):
    random = shot.random
    shapes.wall('wall', concrete('concrete', linear('#b4b0a9')))
    poster(shot, 'F1')
    for x in (-.15, .15):
        clip(CENTER[0] + x + .003, CENTER[1] + HEIGHT / 2 - .008)
    desk(random)
    shot.camera((.55, -2.9, 1.50), (-.02, 0, 1.38), 94)

    noon = Vector((.85, 1.0, -.80)).normalized()
    window = lights.Window((.02, 0, 1.50), noon, 1.35, 1.7, bars_x=(-.55,), bars_y=(-.50,), bar=.03, distance=2.0)
    window.twigs(random, [(.7, .95, -2.4, .6), (-.7, .9, -.7, .5)], .10)
    lights.sun(noon, 2.7, 1.0, (1, .94, .85))
    lights.soft_box((-2.4, -2.2, 2.2), (0, 0, 1.2), 1.6, 2.0, 50, (.97, .985, 1.0))
    lights.sky((.86, .93, 1.0), .50)
