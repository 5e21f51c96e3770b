"""A canvas bag on the peg rail of a hall, eucalyptus looking out of it; clay-colored limewash low sun from the left."""

import math

from mathutils import Vector

from studio import bags, dyes, lights, materials, plants, shapes
from studio.nodes import linear

TEMPLATE = {
    'id': 'canvas-tote-peg-rail',
    'name': 'Canvas tote bag on a peg rail',
    'category': 'Bags',
    'type': 'product',
    'surface_type': 'fabric',
    'render_mode': 'uvmap',
    'picture_ratio': 4 / 5,
    'seed': 17,
}


def peg(x, z, wood):
    """A turned Shaker peg, tilted up a little."""
    profile = shapes.turned_profile([(0, 0), (.012, 0), (.0125, .006), (.0075, .016), (.0068, .040), (.0085, .058), (.0125, .070), (.0130, .076),
                                     (.009, .082), (0, .084)], 60)
    thing = shapes.lathe('peg', profile, wood, 64)
    thing.location, thing.rotation_euler = (x, -.012, z), (math.radians(84), 0, 0)


def build(shot):
    random = shot.random
    shapes.wall('wall', materials.plaster('limewash', linear('#c6a893'), .45, .26))
    shot.add_color(bags.AREA, '#e6dcc8', dyes.CANVAS)
    x, height = bags.tote(shot, 'F1', linear('#e6dcc8'), (0, 0))
    rail = materials.wood('rail', 'X', materials.WHITE_OAK, .95)
    shapes.box('rail', (0, -.009, height - .006), (3, .020, .085), rail, .003)
    turned = materials.wood('peg', 'Z', materials.WHITE_OAK, .9)
    for place in (-.52, -.26, 0, .26, .52):
        peg(x + place, height - .010, turned)
    green, stem = materials.leaf('eucalyptus', linear('#7f9078'), .25), materials.plain('stem', linear('#7a6a4a'), .7)
    for dx, lean, long in ((.0, .02, .30), (.045, .24, .29), (.03, .44, .25), (-.02, -.17, .24)):
        plants.branch((dx, bags.MIDDLE, bags.BOTTOM + .385), (lean, .02, 1), long, green, stem, random, 18, (.050, .038), .05, .0024, lift=0, first_leaf=.24)
    shot.camera((.24, -2.6, 1.40), (.01, 0, 1.365), 118)

    low_sun = Vector((.88, 1.0, -.42)).normalized()
    window = lights.Window((.05, 0, 1.30), low_sun, .95, 1.25, bars_y=(.40,), bar=.03, distance=2.1)
    window.twigs(random, [(-.6, .6, -.7, .5), (.6, -.7, 2.2, .5)], .09)
    lights.sun(low_sun, 2.7, 1.3, (1, .91, .78))
    lights.soft_box((-1.9, -1.7, 1.9), (0, 0, 1.25), 1.5, 1.6, 36, (1, .98, .95))
    lights.sky((.88, .94, 1.0), .38)
