"""A framed portrait poster in late sun above an oak sideboard; eucalyptus in a stoneware vase."""

import math

from mathutils import Vector

from studio import frames, lights, materials, plants, shapes, surface
from studio.nodes import linear

TEMPLATE = {
    'id': 'oak-frame-portrait',
    'name': 'Oak frame above a sideboard',
    'category': 'Wall Art',
    'type': 'print',
    'surface_type': None,
    'render_mode': 'corners',
    'picture_ratio': 4 / 5,
    'seed': 7,
}
TOP = .86  # height of the sideboard
DEPTH = .42


def sideboard(random):
    across = materials.wood('sideboard top', 'X', brightness=.95, roughness=.36, rings=.14)
    shapes.box('top', (0, -DEPTH / 2 - .01, TOP - .0125), (2.1, DEPTH, .025), across, .0025)
    shapes.box('body', (0, -DEPTH / 2, TOP - .26), (2.06, DEPTH - .03, .47), materials.plain('gap', linear('#2b1c10'), .8), 0)
    brass = materials.metal('brass', linear('#c79a4b'))
    for i, x in enumerate((-.775, -.258, .258, .775)):
        front = materials.wood('door %d' % i, 'Z', brightness=.9 + .05 * random.random(), roughness=.4, scale=1 + .1 * i)
        shapes.box('door', (x, -DEPTH + .004, TOP - .26), (.509, .02, .455), front, .002)
        knob = shapes.lathe('knob', [(0, 0), (.006, 0), (.006, .012), (.012, .016), (.0135, .022), (.011, .027), (0, .028)], brass, 32)
        knob.rotation_euler = (math.pi / 2, 0, 0)
        knob.location = (x + (.2 if i % 2 == 0 else -.2), -DEPTH - .006, TOP - .17)


def vase_of_eucalyptus(random, x, y):
    clay = materials.stoneware('stoneware', linear('#cfc4b4'), linear('#b7a998'))
    profile = shapes.turned_profile([(0, 0), (.055, 0), (.082, .03), (.105, .10), (.10, .17), (.066, .225), (.038, .255), (.036, .285), (.046, .305)], 70)
    inside = [(max(0, r - .006), z) for r, z in profile[::-1] if z > .02]
    shapes.lathe('vase', profile + [(.043, .308)] + inside, clay, 96).location = (x, y, TOP)
    green, stem = materials.leaf('eucalyptus', linear('#6f7f55'), .3), materials.plain('stem', linear('#6b5a3a'), .7)
    for dx, dy, length, curve in ((-.35, -.1, .50, .3), (.22, -.12, .46, .25), (-.05, -.25, .60, .2), (.1, .15, .40, .3), (-.2, .12, .44, .35), (.34, .02, .36, .4)):
        plants.branch((x + dx * .04, y + dy * .04, TOP + .22), (dx, dy, 1), length, green, stem, random, 20, (.062, .040), curve)


def books_and_bowl(random, x, y):
    z = TOP
    pages = materials.plain('pages', linear('#efe8da'), .9, .1)
    for i, (width, depth, height, color) in enumerate(((.27, .20, .030, '#d8cfc0'), (.25, .185, .024, '#8d5a44'), (.22, .165, .020, '#2f3b3f'))):
        turn = (0, 0, random.uniform(-.12, .12))
        shapes.box('cover', (x, y, z + height / 2), (width, depth, height), materials.plain('cover %d' % i, linear(color), .6, .3), .0018, rotation=turn)
        shapes.box('block', (x, y, z + height / 2), (width - .006, depth + .001, height - .006), pages, 0, rotation=turn)
        z += height
    glaze = materials.stoneware('bowl', linear('#dcd5c8'), linear('#c4b9a8'), roughness=.45, throwing_lines=90)
    bowl = shapes.turned_profile([(0, 0), (.03, 0), (.034, .008), (.055, .03), (.066, .055), (.068, .058), (.064, .056), (.05, .03), (.02, .012), (0, .01)])
    shapes.lathe('bowl', bowl, glaze, 80).location = (x - .02, y, z)


def build(shot):
    random = shot.random
    shapes.wall('wall', materials.plaster('wall', linear('#e9e2d6'), .30, .05))
    shapes.box('floor', (0, -3, -.05), (9, 6, .1), materials.wood('floor', 'X', brightness=.8))
    oak = (materials.wood('oak across', 'X'), materials.wood('oak upright', 'Z'))
    artwork = frames.picture_frame(
        'F1', (0, -.002, 1.50), .50, .75, .020, .026, oak, surface.paper('F1', shot.artwork('F1')), mat_width=.062,
        mat_material=materials.plain('mat board', linear('#f4f1ea'), .85, .2), lean_degrees=.6)
    shot.add_frame('F1', .50 / .75, artwork)
    sideboard(random)
    vase_of_eucalyptus(random, -.52, -.20)
    books_and_bowl(random, .46, -.21)
    shot.camera((.50, -3.1, 1.42), (-.01, 0, 1.375), 80)

    late_sun = Vector((.62, 1.0, -.62)).normalized()
    window = lights.Window((-.44, 0, 1.0), late_sun, 1.75, 2.2, bars_x=(0,), bars_y=(0,), distance=2.3)
    window.twigs(random, [(-.85, 1.0, -.6, .7), (-.9, .35, -.3, .4), (.95, 1.05, -2.3, .5)])
    lights.sun(late_sun, 3.3)
    lights.soft_box((-2.6, -2.2, 2.2), (0, 0, 1.2), 1.6, 2.0, 46, (1, .97, .93))
    lights.sky((.86, .93, 1.0), .42)
