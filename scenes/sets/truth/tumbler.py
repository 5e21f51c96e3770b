"""A white steel tumbler, which is a cone, on a concrete ledge outdoors in soft light; a folded towel and leaves behind it."""

import math

from mathutils import Vector

from studio import dyes, lights, materials, shapes, tabletop, vessels
from studio.nodes import linear

TEMPLATE = {
    'id': 'truth-tumbler',
    'name': 'White tumbler on a ledge',
    'category': 'Drinkware',
    'type': 'product',
    'surface_type': 'ceramic',
    'render_mode': 'uvmap',
    'picture_ratio': 4 / 5,
    'seed': 22,
}


def build(shot):
    random = shot.random
    shot.add_color('tumbler', '#ffffff', dyes.GLAZE)
    vessels.tumbler(shot, 'F1', 'tumbler', (0, 0, .0005))
    shapes.plane('ledge', (0, .4, 0), 3, 1.6, materials.plaster('concrete', linear('#a9a59d'), .25, .22))
    towel = materials.Weave('towel', linear('#5f7f88'), 300, .7, sheen=.3, variation=.2, wrinkles=(10, .5, .006)).material
    tabletop.napkin((.19, .11, 0), -22, towel, size=.32, rumple=1.2, seed=2)
    shapes.plane('wall', (0, 1.3, .6), 6, 3, materials.plaster('wall', linear('#cdb9a0'), .3), rotation=(math.pi / 2, 0, 0))
    tabletop.potted_plant(random, -.26, .55, '#8d8f92', '#4f7444', height=.14, reach=.26)
    tabletop.potted_plant(random, .44, .85, '#b98a6a', '#6d8a50')
    lights.soft_box((-.7, -.35, .40), (0, 0, .09), .40, .80, 6.5, (1, .985, .95))
    lights.soft_box((.8, -.7, .8), (0, 0, .08), 1.2, .9, 3.6, (.92, .96, 1))
    direction = Vector((.70, .34, -.58)).normalized()
    window = lights.Window((0, -.02, .08), direction, .60, .80, distance=1.4)
    window.twigs(random, [(-.3, .30, -.6, .35), (.32, .36, -2.2, .35), (-.28, -.36, .5, .25)], .06)
    lights.sun(direction, 1.8, 1.8, (1, .92, .80))
    lights.sky((.88, .94, 1.0), .50)
    shot.camera((.04, -.66, .175), (.004, 0, .088), 96, focus=(0, -.040, .08), f_stop=9)
