"""A tablet in a slim case on a desk of green linoleum with an oak edge, notebooks, a pen and a plant around it; daylight from a window on the left."""

import math

from mathutils import Vector

from studio import dyes, lights, materials, phones, plants, shapes, surface
from studio.nodes import MaterialBuilder, linear, scaled

TEMPLATE = {
    'id': 'tablet-green-desk',
    'name': 'Tablet on a green desk',
    'category': 'Screens',
    'type': 'product',
    'surface_type': 'glass',
    'render_mode': 'corners',
    'picture_ratio': 5 / 4,
    'seed': 26,
}
SCREEN_WIDTH, SCREEN_HEIGHT, BEZEL, THICK = .162, .216, .0085, .0062
CASE_WALL = .0040


def tablet(shot, frame_name):
    hand = shapes.empty('tablet', (0, 0, 0), (0, 0, math.radians(7)))
    body_w, body_h = SCREEN_WIDTH + 2 * BEZEL, SCREEN_HEIGHT + 2 * BEZEL
    metal = materials.metal('aluminium', linear('#a9abad'), .34)
    shell = shapes.rounded_slab('shell', body_w + .0022, body_h + .0022, .0170, [(.0012, .0002), (.0003, .0007), (0, .0016), (0, THICK - .0012), (.0003, THICK - .0004),
                                                                 (.0010, THICK)], metal)
    glass = shapes.rounded_slab('front', body_w, body_h, .0160, [(0, THICK - .001), (0, THICK + .0001), (.0002, THICK + .00025)],
                 materials.plain('black front', (.004, .004, .005, 1), .07))
    picture = shapes.plane('screen', (0, 0, THICK + .0003), SCREEN_WIDTH, SCREEN_HEIGHT,
                           surface.screen(frame_name, shot.artwork(frame_name), (SCREEN_WIDTH, SCREEN_HEIGHT), .0085))
    wall = [(.0012, .0002), (.0003, .0009), (0, .0020), (0, THICK - .0002), (.0003, THICK + .0006), (.0010, THICK + .0010), (CASE_WALL - .0008, THICK + .0010),
            (CASE_WALL, THICK + .0006), (CASE_WALL + .0002, THICK), (CASE_WALL + .0002, THICK - .0020)]
    case = shapes.rounded_slab('case', body_w + .0022 + 2 * CASE_WALL, body_h + .0022 + 2 * CASE_WALL, .0170 + CASE_WALL, wall, phones.soft_plastic(shot, 'tablet case'))
    lens = shapes.lathe('camera', [(0, 0), (.0016, 0)], materials.plain('lens', (.01, .012, .03, 1), .05), 24)
    lens.location = (0, SCREEN_HEIGHT / 2 + BEZEL / 2, THICK + .0003)
    for part in (shell, glass, picture, case, lens):
        part.parent = hand
    shot.add_frame(frame_name, SCREEN_WIDTH / SCREEN_HEIGHT, picture, shines=True)


def linoleum(name, color):
    """Furniture linoleum: matt, faintly flecked, with the finest relief."""
    builder = MaterialBuilder(name)
    position = builder.coordinates()
    flecks, broad = builder.noise(position, 420, 4, .7), builder.noise(position, 5, 3)
    tint = builder.mix(builder.multiply(flecks, .34), scaled(color, 1.12), scaled(color, .72))
    tint = builder.mix(builder.multiply(broad, .16), tint, scaled(color, 1.25))
    builder.principled(Base_Color=tint, Roughness=.62, Specular=.3, Normal=builder.bump(flecks, .10, .0006))
    return builder.material


def notebook(center, size, turn_degrees, cover, band=None):
    x, y, z = center
    w, h, thick = size
    hold = shapes.empty('notebook', (x, y, z), (0, 0, math.radians(turn_degrees)))
    parts = [shapes.rounded_slab('pages', w - .004, h - .004, .004, [(0, .0015), (0, thick - .0015)], materials.plain('pages', linear('#ece4d3'), .9, .1))]
    for low in (0, thick - .0016):
        parts.append(shapes.rounded_slab('cover', w, h, .006, [(.0006, low), (0, low + .0005), (0, low + .0011), (.0006, low + .0016)], cover))
    parts.append(shapes.box('spine', (-w / 2 + .0006, 0, thick / 2), (.0018, h - .012, thick - .001), cover, .0006))
    if band:
        parts.append(shapes.box('band', (w / 2 - .018, 0, thick / 2), (.006, h + .0014, thick + .0012), band, .0005))
    for part in parts:
        part.parent = hold
    return z + thick


def pen(start, end, radius, body, tip):
    a, b = Vector(start), Vector(end)
    shapes.tube('pen', [a.lerp(b, t) for t in (0, .004, .01, .5, .90)], [radius * .7, radius * .95, radius, radius, radius], body, sides=24)
    shapes.tube('pen tip', [a.lerp(b, t) for t in (.90, .94, .98, 1)], [radius, radius * .72, radius * .32, radius * .15], tip, sides=24)


def build(shot):
    random = shot.random
    shot.add_color(phones.AREA, '#ffffff', dyes.CASE)
    green = linoleum('linoleum', linear('#6f8374'))
    shapes.box('desk', (0, .10, -.0125), (1.8, .90, .025), green, .001)
    shapes.box('edge', (0, -.365, -.0125), (1.8, .028, .0255), materials.wood('edge', 'X', materials.OAK, 1.0, .42), .003)
    tablet(shot, 'F1')
    leather = materials.stoneware('leather', linear('#9a5b36'), linear('#7f4627'), .55, 30)
    top = notebook((.215, .085, 0), (.130, .195, .017), -11, leather, materials.plain('elastic', linear('#3a2116'), .8))
    notebook((.212, .090, top), (.105, .150, .009), -4, materials.plain('cloth cover', linear('#d9cfbc'), .85, .2))
    pen((.150, -.075, .0048), (.118, -.205, .0046), .0044, materials.plain('white pen', linear('#e9e8e4'), .3), materials.plain('grey tip', linear('#b9b9b7'), .4))
    clay = materials.stoneware('pot', linear('#cdbfae'), linear('#b5a692'), .75, 60)
    pot = shapes.turned_profile([(0, 0), (.040, 0), (.050, .006), (.057, .060), (.058, .082), (.054, .083), (.051, .070), (0, .068)], 50)
    shapes.lathe('pot', pot, clay, 96).location = (-.235, .180, 0)
    shapes.lathe('soil', [(0, .070), (.0535, .070)], materials.stoneware('soil', linear('#2b2018'), linear('#17110c'), .95, 20), 48).location = (-.235, .180, 0)
    leafy, stem = materials.leaf('leaf', linear('#4f6b3f'), .3), materials.plain('stem', linear('#66693f'), .7)
    for k in range(9):
        angle = k * 2.4
        plants.branch((-.235 + .012 * math.cos(angle), .180 + .012 * math.sin(angle), .068), (.75 * math.cos(angle), .75 * math.sin(angle), 1),
                      .12 + .05 * random.random(), leafy, stem, random, 10, (.040, .030), .35, .0014, first_leaf=.3)
    shot.camera((.10, -.54, .90), (.022, .006, 0), 86)

    light = Vector((.85, -.34, -.62)).normalized()
    window = lights.Window((.05, .0, 0), light, .62, .60, bars_x=(-.23,), bar=.03, distance=1.3)
    window.twigs(random, [(-.34, .34, -.7, .34), (.36, .34, -2.3, .30)], .06)
    lights.sun(light, 3.0, 1.2, (1, .92, .80))
    lights.soft_box((-1.0, .35, .85), (0, 0, 0), .7, .8, 11, (1, .99, .97))
    lights.soft_box((.34, 1.0, 1.15), (0, 0, 0), .55, .75, 2.6, (.93, .97, 1.0))  # the window that the screen mirrors
    lights.sky((.88, .94, 1.0), .40)
