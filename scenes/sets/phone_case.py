"""A phone in a printed case, leant against a block of stone; warm plaster, eucalyptus, low sun from the left."""

import math

from mathutils import Vector

from studio import dyes, lights, materials, phones, plants, shapes
from studio.nodes import linear

TEMPLATE = {
    'id': 'phone-case-stone-block',
    'name': 'Phone case against a stone block',
    'category': 'Phone Cases',
    'type': 'product',
    'surface_type': 'plastic',
    'render_mode': 'uvmap',
    'picture_ratio': 4 / 5,
    'seed': 41,
}
TILT, TURN = 13, 9


def pebble(x, y, size, turn, color):
    """A stone from a river: a flattened ball, a little lopsided."""
    profile = shapes.turned_profile([(0, 0), (size * .62, size * .05), (size, size * .32), (size * .78, size * .60), (0, size * .70)], 40)
    stone = shapes.lathe('pebble', profile, materials.stoneware('pebble', linear(color), linear(color), .8, 8), 72)
    stone.location, stone.rotation_euler, stone.scale = (x, y, 0), (0, 0, math.radians(turn)), (1.25, .88, 1)


def build(shot):
    random = shot.random
    shot.add_color(phones.AREA, '#ffffff', dyes.CASE)
    phones.phone(shot, 'F1', (-.004, 0, 0), TILT, TURN)
    plaster = materials.plaster('block', linear('#d3bba0'), .30, .12)
    shapes.box('block', (.030, .062, .056), (.118, .072, .112), plaster, .0022, 4, rotation=(0, 0, math.radians(TURN - 3)))
    shapes.plane('table', (0, 0, 0), 4, 4, materials.plaster('table', linear('#dccbb6'), .20, .10))
    shapes.plane('wall', (0, .44, 1), 5, 4, materials.plaster('wall', linear('#e2cbb3'), .28, .10), rotation=(math.pi / 2, 0, 0))
    pebble(.074, -.026, .0155, 20, '#b9ada0')
    pebble(.092, .004, .0105, 75, '#857b71')
    bud = shapes.turned_profile([(0, 0), (.026, 0), (.037, .014), (.039, .046), (.026, .070), (.011, .086), (.0105, .100), (.0135, .106)], 60)
    shapes.lathe('bud vase', bud + [(.011, .106), (.008, .096)], materials.stoneware('bud vase', linear('#f0e9de'), linear('#ddd2c2'), .55), 96).location = (-.088, .130, 0)
    green, stem = materials.leaf('leaf', linear('#76855f'), .3), materials.plain('stem', linear('#6b5a3a'), .7)
    for dx, dy, length in ((-.22, -.05, .165), (.16, .08, .15), (.0, .12, .19)):
        plants.branch((-.088, .130, .098), (dx, dy, 1), length, green, stem, random, 14, (.032, .020), .26, .0012)
    direction = Vector((.66, .66, -.56)).normalized()
    window = lights.Window((.03, 0, .105), direction, .52, .66, bars_x=(-.185,), bars_y=(-.160,), bar=.014, distance=1.2)
    window.twigs(random, [(-.27, .34, -.6, .26), (.28, .35, -2.4, .30), (.27, -.05, 2.6, .16)], .042)
    lights.sun(direction, 2.2, 1.5, (1, .91, .79))
    lights.soft_box((-.75, -.75, .75), (0, 0, .08), .8, .8, 6.5, (1, .98, .95))
    lights.soft_box((.62, -.30, .42), (0, 0, .08), .25, .5, 1.0, (.94, .97, 1.0))  # the gleam along the right edge
    lights.sky((.88, .94, 1.0), .40)
    shot.camera((-.13, -.80, .150), (.004, 0, .0800), 134, focus=(0, -.01, .08), f_stop=9)
