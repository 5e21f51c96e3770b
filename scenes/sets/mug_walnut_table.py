"""A white mug on a walnut table, linen napkin and coffee beans; jars and a plant out of focus behind it."""

import math

from mathutils import Matrix, Vector

from studio import ceramics, dyes, lights, materials, shapes, tabletop
from studio.nodes import linear

TEMPLATE = {
    'id': 'white-mug-walnut-table',
    'name': 'White mug on a walnut table',
    'category': 'Drinkware',
    'type': 'product',
    'surface_type': 'ceramic',
    'render_mode': 'uvmap',
    'picture_ratio': 1,
    'seed': 3,
}
WALNUT = ('#4e321d', '#86593a', '#a87a50', '#c09468')


def window_beside_the_mug():
    """A low soft window with bars: the glaze reflects a window, not a rectangle."""
    place = Vector((-.66, -.16, .36))
    lights.soft_box(place, (0, 0, .07), .46, .66, 9, (1, .975, .94))
    heading = (Vector((0, 0, .07)) - place).normalized()
    frame = Matrix.Translation(place + heading * .012) @ heading.to_track_quat('-Z', 'Y').to_matrix().to_4x4()
    dark = materials.plain('window bar', (.02, .02, .02, 1))
    for x, y, width, height in ((0, 0, .018, .7), (0, .10, .5, .016), (0, -.14, .5, .016)):
        bar = shapes.box('bar', (0, 0, 0), (width, height, .004), dark, 0)
        bar.matrix_world = frame @ Matrix.Translation((x, y, 0))
        bar.visible_camera = False


def build(shot):
    random = shot.random
    shot.add_color('mug', '#ffffff', dyes.GLAZE, dark=dyes.BLACK_GLAZE)
    ceramics.mug(shot, 'F1', (0, 0, .0005), 8, print_center_degrees=-94, area='mug')
    tabletop.planks(random, WALNUT)
    linen = materials.Weave('linen', linear('#c9bfae'), 420, .5, sheen=.3, variation=.2, wrinkles=(14, .4, .004)).material
    tabletop.napkin((-.165, .075, 0), 24, linen)
    tabletop.coffee_beans(random, .062, -.062, 16)
    shapes.plane('wall', (0, 1.6, .6), 6, 3, materials.plaster('wall', linear('#ddd5c6'), .2), rotation=(math.pi / 2, 0, 0))
    tabletop.potted_plant(random, .20, .62, '#b5694a', '#5c7a48')
    tabletop.jar(-.16, .75, .2, '#d9d2c4')
    tabletop.jar(-.27, .68, .13, '#8a9a94')

    window_beside_the_mug()
    lights.soft_box((-.36, -.14, .215), (0, 0, .10), .10, .40, 1.9, (1, .985, .96))  # the glint on the left flank
    lights.soft_box((.9, -.8, .9), (0, 0, .05), 1.2, .9, 5., (.9, .95, 1))
    direction = Vector((.75, -.42, -.52)).normalized()
    window = lights.Window((0, .04, .03), direction, .40, .62, bars_x=(0,), bars_y=(0,), bar=.022, distance=1.3)
    window.twigs(random, [(-.25, .3, -.9, .35), (.24, .3, -2.2, .35), (-.25, -.2, .3, .25)], .06)
    lights.sun(direction, 4.2, 1.6, (1, .88, .72))
    lights.sky((.88, .93, 1.0), .55)
    shot.camera((.05, -.62, .150), (.012, 0, .0485), 100, focus=(0, -.036, .05), f_stop=8)
