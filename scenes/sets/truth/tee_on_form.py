"""A white T-shirt on a linen dress form before a plain wall: folds as cloth on a body has them. Window light from the left."""

from mathutils import Vector

from studio import dress_form, dyes, lights, materials, shapes, tabletop
from studio.nodes import linear

TEMPLATE = {
    'id': 'truth-tee-on-form',
    'name': 'White T-shirt on a form',
    'category': 'Apparel',
    'type': 'product',
    'surface_type': 'fabric',
    'render_mode': 'uvmap',
    'picture_ratio': 1,
    'seed': 24,
}
HEIGHT = 1.25  # metres of the cut's zero above the floor


def build(shot):
    random = shot.random
    shot.add_color('shirt', '#ffffff', dyes.JERSEY)
    dress_form.tee(shot, 'F1', linear('#f2f0ec'), 'shirt', (0, 0, HEIGHT))
    linen = materials.plain('form linen', linear('#b8a88e'), .9, .1, Sheen=.2)
    body = dress_form.form(linen)
    body.location = (0, 0, HEIGHT)
    body.scale = (.985, .98, .998)
    cap = shapes.lathe('cap', shapes.turned_profile([(0, -.004), (.052, 0), (.055, .008), (.046, .020), (.018, .030), (.016, .045), (.022, .058), (.012, .070), (0, .072)], 60),
                       materials.wood('cap', 'Z', materials.WALNUT, 1.1), 64)
    cap.location = (0, 0, HEIGHT + .41)
    stand = shapes.lathe('stand', [(0, -.8), (.016, -.8), (.016, 0), (0, 0)], materials.metal('stand', linear('#3b3a38'), .4), 48)
    stand.location = (0, 0, HEIGHT - .45)
    shapes.wall('wall', materials.plaster('wall', linear('#b9b2a4'), .35, .16), y=.75)
    tabletop.potted_plant(random, .62, .50, '#8f8a80', '#5f7a4a', height=.95, reach=.42, leaf_size=(.10, .045))
    lights.soft_box((-1.7, -1.0, 1.8), (0, 0, 1.2), 1.1, 1.5, 40, (1, .98, .95))
    lights.soft_box((1.9, -1.6, 1.6), (0, 0, 1.2), 1.4, 1.5, 14, (.92, .96, 1))
    direction = Vector((.80, .50, -.42)).normalized()
    window = lights.Window((.0, 0, HEIGHT), direction, 1.05, 1.30, bars_y=(.48,), bar=.04, distance=2.0)
    window.twigs(random, [(-.55, .65, -.8, .5), (.6, -.6, 2.3, .5)], .10)
    lights.sun(direction, 1.9, 1.6, (1, .92, .80))
    lights.sky((.88, .94, 1.0), .36)
    shot.camera((.16, -2.35, HEIGHT + .16), (.0, 0, HEIGHT - .01), 100)
