"""A white T-shirt, flat on microcement, seen from above; eucalyptus in two corners, window light across it."""

from mathutils import Vector

from studio import drawn_tee, dyes, lights, materials, plants, shapes
from studio.nodes import linear

TEMPLATE = {
    'id': 'white-tee-flat-lay',
    'name': 'White T-shirt, flat lay',
    'category': 'Apparel',
    'type': 'product',
    'surface_type': 'fabric',
    'render_mode': 'uvmap',
    'picture_ratio': 1,
    'seed': 4,
}


def build(shot):
    random = shot.random
    shot.add_color('shirt', '#ffffff', dyes.JERSEY)
    drawn_tee.tee(shot, 'F1', linear('#f2f0ec'), materials.plain('label', linear('#20242a'), .8, .2), 'shirt')
    shapes.plane('ground', (0, 0, 0), 6, 6, materials.plaster('microcement', linear('#c9c1b4'), .28, .16))
    green, stem = materials.leaf('eucalyptus', linear('#7d8c70'), .2), materials.plain('stem', linear('#7a6a4a'), .7)
    plants.branch((-.60, .53, .030), (.80, -.30, .0), .40, green, stem, random, 18, (.052, .034), .12, .0028, lift=0)
    plants.branch((-.60, .34, .030), (.80, .02, .0), .26, green, stem, random, 13, (.046, .030), .12, .0024, lift=0)
    plants.branch((.58, -.52, .030), (-.85, .22, .0), .36, green, stem, random, 16, (.052, .034), .12, .0028, lift=0)
    direction = Vector((.80, -.42, -.50)).normalized()
    window = lights.Window((.02, .0, 0), direction, 1.25, 1.45, bars_x=(-.42,), bars_y=(.44,), bar=.045, distance=1.9)
    window.twigs(random, [(-.7, .85, -.7, .7), (.8, .85, -2.4, .6), (-.8, -.3, -.2, .45)], .11)
    lights.sun(direction, 2.1, 1.6, (1, .92, .81))
    lights.soft_box((-1.5, .55, .72), (0, 0, 0), .9, 1.1, 34, (1, .985, .96))
    lights.sky((.88, .94, 1.0), .27)
    shot.camera((0, -.05, 2.6), (0, -.025, 0), 98)
