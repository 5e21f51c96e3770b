"""A hoodie, flat on warm microcement, seen from above; a twig and window light across it."""

from mathutils import Vector

from studio import dyes, hoodies, lights, materials, plants, shapes
from studio.nodes import linear

TEMPLATE = {
    'id': 'hoodie-flat-lay',
    'name': 'Hoodie, flat lay',
    'category': 'Apparel',
    'type': 'product',
    'surface_type': 'fabric',
    'render_mode': 'uvmap',
    'picture_ratio': 1,
    'seed': 12,
}


def build(shot):
    random = shot.random
    shot.add_color(hoodies.AREA, '#ffffff', dyes.FLEECE)
    hoodies.hoodie(shot, 'F1', linear('#f0eeea'), materials.plain('label', linear('#20242a'), .8, .2))
    shapes.plane('ground', (0, 0, 0), 6, 6, materials.plaster('microcement', linear('#b9a18a'), .28, .16))
    green, stem = materials.leaf('eucalyptus', linear('#7d8c70'), .2), materials.plain('stem', linear('#7a6a4a'), .7)
    plants.branch((-.64, .62, .030), (.62, -.62, .0), .40, green, stem, random, 18, (.056, .036), .12, .0028, lift=0)
    plants.branch((.66, -.30, .030), (-.50, -.70, .0), .34, green, stem, random, 15, (.056, .036), .12, .0026, lift=0)
    direction = Vector((.80, -.46, -.52)).normalized()
    window = lights.Window((.02, .10, 0), direction, 1.55, 1.75, bars_x=(-.56,), bars_y=(.60,), bar=.05, distance=2.1)
    window.twigs(random, [(-.85, 1.0, -.7, .8), (.95, 1.0, -2.4, .7), (-.95, -.35, -.2, .5)], .12)
    lights.sun(direction, 2.1, 1.6, (1, .92, .81))
    lights.soft_box((-1.6, .75, .85), (0, .1, 0), 1.1, 1.2, 44, (1, .985, .96))
    lights.sky((.88, .94, 1.0), .27)
    shot.camera((0, .06, 2.9), (0, .115, 0), 92)
