"""A white mug on a desk as somebody who stands before it takes it with a phone: from 30 degrees above, near, with a wide lens."""

import math

from mathutils import Vector

from studio import ceramics, dyes, furniture, lights, materials, shapes, tabletop
from studio.nodes import linear

TEMPLATE = {
    'id': 'truth-mug-from-above',
    'name': 'White mug from above',
    'category': 'Drinkware',
    'type': 'product',
    'surface_type': 'ceramic',
    'render_mode': 'uvmap',
    'picture_ratio': 1,
    'seed': 23,
}
DESK = ('#6b4a30', '#936b48', '#b08960', '#c9a880')
ABOVE = math.radians(30)
DISTANCE = .38
TARGET = (.008, 0, .046)


def build(shot):
    random = shot.random
    shot.add_color('mug', '#ffffff', dyes.GLAZE)
    ceramics.mug(shot, 'F1', (0, 0, .0005), 10, print_center_degrees=-98, print_degrees=140, area='mug')
    tabletop.planks(random, DESK, brightness=.66)
    furniture.books(random, -.19, .20, 0, ('#7d3b34', '#c8bfae'), width=.22)
    linen = materials.Weave('linen', linear('#8f9a9c'), 420, .5, sheen=.3, variation=.2, wrinkles=(14, .4, .004)).material
    tabletop.napkin((.21, .10, 0), 31, linen, seed=5)
    tabletop.coffee_beans(random, -.085, -.050, 12)
    shapes.plane('wall', (0, 1.4, .6), 6, 3, materials.plaster('wall', linear('#d9d6cf'), .2), rotation=(math.pi / 2, 0, 0))
    lights.soft_box((-.60, -.20, .38), (0, 0, .06), .40, .55, 5.5, (1, .98, .94))
    lights.soft_box((.9, -.5, .9), (0, 0, .05), 1.0, .9, 6, (.92, .96, 1))
    direction = Vector((.72, -.10, -.60)).normalized()
    window = lights.Window((0, .02, .03), direction, .50, .70, bars_x=(.16,), bar=.022, distance=1.3)
    window.twigs(random, [(-.25, .34, -.9, .3), (.26, .32, -2.2, .3)], .06)
    lights.sun(direction, 1.8, 1.6, (1, .91, .78))
    lights.sky((.88, .93, 1.0), .45)
    x, y, z = TARGET
    shot.camera((x + .02, y - DISTANCE * math.cos(ABOVE), z + DISTANCE * math.sin(ABOVE)), TARGET, 66, focus=(0, -.036, .06), f_stop=11)
