"""A dark wine bottle with a blank label on an oak board; jars out of focus behind it, window light from the left."""

import math

from mathutils import Vector

from studio import lights, materials, shapes, tabletop, vessels
from studio.nodes import linear

TEMPLATE = {
    'id': 'truth-bottle-label',
    'name': 'Wine bottle with a label',
    'category': 'Drinkware',
    'type': 'product',
    'surface_type': 'paper',
    'render_mode': 'uvmap',
    'picture_ratio': 4 / 5,
    'seed': 21,
}
OAK_TABLE = ('#7a583a', '#a98460', '#c4a27c', '#d8bc98')


def build(shot):
    random = shot.random
    vessels.bottle(shot, 'F1', (0, 0, .0005))
    tabletop.planks(random, OAK_TABLE, brightness=.60, scale=1.3, roughness=.45)
    linen = materials.Weave('linen', linear('#b9b6a6'), 420, .5, sheen=.3, variation=.2, wrinkles=(14, .4, .004)).material
    tabletop.napkin((.20, .10, 0), 18, linen)
    shapes.plane('wall', (0, 1.5, .6), 6, 3, materials.plaster('wall', linear('#c9c4b8'), .25), rotation=(math.pi / 2, 0, 0))
    tabletop.jar(-.24, .62, .22, '#d8d3c6')
    tabletop.jar(.34, .78, .16, '#9b8a74')
    tabletop.potted_plant(random, -.42, .80, '#b9856a', '#5c7a48')
    lights.soft_box((-.75, -.30, .42), (0, 0, .12), .45, .80, 10, (1, .98, .95))
    lights.soft_box((.9, -.7, .7), (0, 0, .1), 1.1, .9, 6, (.92, .96, 1))
    direction = Vector((.78, .30, -.50)).normalized()
    window = lights.Window((0, -.03, .10), direction, .55, .80, bars_x=(.13,), bars_y=(.20,), bar=.022, distance=1.3)
    window.twigs(random, [(-.25, .38, -.9, .35), (.26, .34, -2.2, .30)], .06)
    lights.sun(direction, 1.7, 1.6, (1, .90, .76))
    lights.sky((.90, .94, 1.0), .45)
    shot.camera((.07, -.86, .185), (.004, 0, .128), 92, focus=(0, -.036, .09), f_stop=8)
