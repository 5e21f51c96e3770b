"""A black T-shirt on pale boards, seen from above, a cup of coffee and an olive twig beside it; hard afternoon light from the right."""

import math

from mathutils import Vector

from studio import drawn_tee, dyes, lights, materials, plants, shapes, tabletop
from studio.nodes import linear

TEMPLATE = {
    'id': 'black-tee-wooden-boards',
    'name': 'Black T-shirt on wooden boards',
    'category': 'Apparel',
    'type': 'product',
    'surface_type': 'fabric',
    'render_mode': 'uvmap',
    'picture_ratio': 5 / 4,
    'seed': 8,
}


def coffee(x, y):
    """A stoneware cup on its saucer, from above."""
    clay = materials.stoneware('cup', linear('#dcd6ca'), linear('#c4bcae'), .38, 90)
    saucer = shapes.turned_profile([(0, .004), (.028, .004), (.036, .006), (.066, .014), (.0735, .019), (.0745, .0205), (.0725, .0205), (.064, .0165),
                                    (.034, .0095), (0, .0085)], 60)
    shapes.lathe('saucer', saucer, clay, 128).location = (x, y, 0)
    cup = shapes.turned_profile([(0, .010), (.022, .010), (.030, .018), (.040, .045), (.0425, .068), (.0418, .070), (.0405, .068), (.038, .045), (.028, .02), (0, .014)], 60)
    shapes.lathe('cup', cup, clay, 128).location = (x + .002, y, 0)
    shapes.lathe('coffee', [(0, .060), (.0396, .060)], materials.plain('coffee', linear('#1f0f07'), .06, .5), 96).location = (x + .002, y, 0)
    crema = shapes.lathe('crema', [(.0345, .0602), (.0396, .0604)], materials.plain('crema', linear('#8a5a2e'), .25), 96)
    crema.location = (x + .002, y, 0)
    points = [(x - .038, y - .012, .058), (x - .058, y - .020, .057), (x - .066, y - .024, .045), (x - .056, y - .020, .030), (x - .034, y - .012, .026)]
    shapes.tube('handle', shapes.smooth_curve(points, 32), .0042, clay)


def build(shot):
    random = shot.random
    shot.add_color('shirt', '#37373b', (('Black', '#37373b'), *(dye for dye in dyes.JERSEY if dye[0] != 'Black')))
    shirt = drawn_tee.tee(shot, 'F1', linear('#f0eeea'), materials.plain('label', linear('#e9e6df'), .8, .2), 'shirt', 9, dye='#37373b')
    shirt.rotation_euler, shirt.location = (0, 0, math.radians(2)), (-.01, .0, 0)
    tabletop.planks(random, materials.ASH, count=14, width=.118, brightness=.95, roughness=.5)
    coffee(.400, .250)
    green, stem = materials.leaf('olive', linear('#5f6b46'), .25), materials.plain('stem', linear('#6a5a3e'), .8)
    plants.branch((-.57, .40, .02), (.60, -.52, 0), .30, green, stem, random, 20, (.058, .019), .14, .0026, lift=0)
    plants.branch((-.58, .33, .02), (.40, -.62, 0), .24, green, stem, random, 15, (.052, .018), .12, .0022, lift=0)
    direction = Vector((-.90, -.34, -.50)).normalized()
    window = lights.Window((.0, -.02, 0), direction, 1.15, 1.15, bars_x=(.43,), bars_y=(-.42,), bar=.045, distance=1.9)
    window.twigs(random, [(.7, .8, -2.3, .6), (-.7, .9, -.8, .5)], .10)
    lights.sun(direction, 3.2, 1.0, (1, .92, .80))
    lights.soft_box((1.5, .9, 1.0), (0, 0, 0), 1.0, 1.1, 36, (1, .985, .96))
    lights.sky((.88, .94, 1.0), .36)
    shot.camera((.005, -.10, 2.6), (.0, -.015, 0), 92)
