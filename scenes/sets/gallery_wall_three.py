"""Three walnut frames on a sage wall above a sofa; an olive twig stands in front of the square one."""

import math

from mathutils import Vector

from studio import frames, lights, materials, plants, shapes, surface, upholstery
from studio.nodes import linear

TEMPLATE = {
    'id': 'gallery-wall-three',
    'name': 'Gallery wall of three above a sofa',
    'category': 'Wall Art',
    'type': 'print',
    'surface_type': None,
    'render_mode': 'corners',
    'picture_ratio': 5 / 4,
    'seed': 12,
}


def sofa():
    linen = materials.Weave('sofa linen', linear('#c9bfae'), 820, .6, sheen=.4, variation=.26, wrinkles=(5, .3, .02)).material
    for i, x in enumerate((-.86, .0, .86)):
        upholstery.padded_block('back %d' % i, (x, -.30, .62), (.84, .24, .52), .06, linen, (math.radians(-9), 0, 0), .035, i * 5)
    rust = materials.Weave('rust linen', linear('#a5623f'), 480, .5, sheen=.5, variation=.16, wrinkles=(9, .18, .01)).material
    oat = materials.Weave('oat linen', linear('#e4dccd'), 420, .55, sheen=.35, variation=.2, wrinkles=(8, .2, .012)).material
    upholstery.pillow('pillow 1', oat, (-.66, -.50, .75), (math.radians(76), math.radians(3), math.radians(9)), 1.05, .85, 1)
    upholstery.pillow('pillow 2', rust, (-.33, -.58, .68), (math.radians(72), math.radians(-5), math.radians(-8)), .94, .85, 3)


def olive_tree(random, x, y):
    green, bark = materials.leaf('olive', linear('#5d6b48'), .28), materials.plain('bark', linear('#5f5341'), .85)
    for k in range(9):
        angle = k * 2.4
        plants.branch((x + .03 * math.cos(angle), y + .03 * math.sin(angle), .70), (.42 * math.cos(angle) + .12, .34 * math.sin(angle) - .08, 1),
                      .70 + .35 * random.random(), green, bark, random, 38, (.078, .024), .40, .0032, first_leaf=.10)
    # the twig in front of the square frame
    plants.branch((x - .06, y - .02, .93), (-.80, .06, .52), .66, green, bark, random, 30, (.070, .023), .10, .0028, lift=0, first_leaf=.10)


def build(shot):
    random = shot.random
    shapes.wall('wall', materials.plaster('wall', linear('#aab09a'), .30, .05))
    shapes.box('floor', (0, -3, -.05), (9, 6, .1), materials.wood('floor', 'X', brightness=.8))
    walnut = (materials.wood('walnut across', 'X', materials.WALNUT), materials.wood('walnut upright', 'Z', materials.WALNUT))
    board = materials.plain('mat board', linear('#f4f1ea'), .85, .2)
    for name, center, width, height, mat in (('F1', (-.31, -.002, 1.50), .42, .525, .05), ('F2', (.29, -.002, 1.735), .42, .28, .05),
                                             ('F3', (.235, -.002, 1.27), .30, .30, .045)):
        artwork = frames.picture_frame(name, center, width, height, .016, .028, walnut, surface.paper(name, shot.artwork(name)), mat, board,
                                       lean_degrees=.5, turn=random.uniform(-.004, .004))
        shot.add_frame(name, width / height, artwork)
    sofa()
    olive_tree(random, .86, -.20)
    shot.camera((-.42, -3.2, 1.46), (.0, 0, 1.38), 60)

    morning = Vector((.55, 1.0, -.50)).normalized()
    window = lights.Window((.06, 0, 1.45), morning, 1.66, 1.75, bars_y=(-.55,), bar=.03, distance=2.4)
    window.twigs(random, [(-.8, .95, -.5, .75), (-.8, .1, .2, .5), (.8, .9, -2.5, .6)], .10)
    lights.sun(morning, 2.7, 1.3, (1, .92, .80))
    lights.soft_box((-2.6, -2.2, 2.2), (0, 0, 1.2), 1.8, 2.0, 48, (1, .98, .95))
    lights.sky((.88, .94, 1.0), .45)
