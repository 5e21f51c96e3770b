"""A white mug with its handle on the left on a marble kitchen top; lemons, a blue linen cloth, a cutting board out of focus."""

import math

from mathutils import Vector, noise

from studio import ceramics, dyes, lights, materials, plants, shapes, tabletop
from studio.nodes import MaterialBuilder, linear, scaled

TEMPLATE = {
    'id': 'white-mug-marble',
    'name': 'White mug on marble with lemons',
    'category': 'Drinkware',
    'type': 'product',
    'surface_type': 'ceramic',
    'render_mode': 'uvmap',
    'picture_ratio': 1,
    'seed': 9,
}
TURN = 186  # degrees: the handle points to the left and a little to the camera


def marble():
    """Honed white marble: two generations of veins, where noise crosses its middle."""
    builder = MaterialBuilder('marble')
    position = builder.coordinates()

    def veins(scale, width, distortion):
        field = builder.noise(position, scale, 7, .58, distortion)
        distance = builder.math('ABSOLUTE', builder.subtract(field, .5))
        return builder.ramp(distance, [(0, (1, 1, 1)), (width * .3, (.5, .5, .5)), (width, (0, 0, 0))])

    clouds = builder.noise(position, 5, 5, .6)
    white, grey = linear('#d6d3ce'), linear('#77797c')
    tint = builder.mix(builder.multiply(clouds, .35), white, linear('#b9b8b5'))
    tint = builder.mix(builder.multiply(veins(3.1, .035, 1.6), builder.multiply(clouds, 1.1)), tint, grey)
    tint = builder.mix(builder.multiply(veins(8.5, .016, 1.1), .35), tint, scaled(grey, 1.2))
    builder.principled(Base_Color=tint, Roughness=builder.add(.26, builder.multiply(clouds, .10)), Specular=.45)
    return builder.material


def lemon(random, x, y, turn, skin):
    """A lemon on its side: a turned body with a nipple, pitted skin, a little lopsided."""
    profile = shapes.turned_profile([(0, -.046), (.006, -.0445), (.012, -.038), (.024, -.024), (.0285, 0), (.024, .024), (.011, .036), (.006, .0405), (0, .042)], 60)
    thing = shapes.lathe('lemon', profile, skin, 72)
    size = random.uniform(.92, 1.08)
    for vertex in thing.data.vertices:
        swell = 1 + .05 * noise.noise(vertex.co * 40 + Vector((turn, 0, 0)))
        vertex.co *= size * swell
    thing.rotation_euler = (math.pi / 2, random.uniform(0, 6), math.radians(turn))
    thing.location = (x, y, .0275 * size)


def lemon_skin():
    builder = MaterialBuilder('lemon skin')
    position = builder.coordinates()
    pits = builder.node('TexVoronoi', {'Vector': position, 'Scale': 420.0}).outputs[0]
    blush = builder.noise(position, 26, 3)
    tint = builder.mix(blush, linear('#e9b824'), linear('#f3cf4a'))
    builder.principled(Base_Color=tint, Roughness=.38, Specular=.5, Normal=builder.bump(pits, .35, .0009))
    return builder.material


def sprig(color):
    """Two leaves on a short stalk, as they come with a picked lemon."""
    green = materials.veined_leaf('lemon leaf', color)
    stalk = [(.098, .012, .0065), (.108, .003, .0085), (.116, -.008, .0078), (.121, -.019, .0060)]
    shapes.tube('stalk', [tuple(point) for point in shapes.smooth_curve(stalk, 24)], .0011, materials.plain('stalk', linear('#66703f'), .6), sides=8)
    for place, turn, tilt, length, width in (((.120, -.017, .0065), -28, -4, .066, .029), ((.113, -.004, .0085), 22, -9, .056, .026)):
        leaf = plants.broad_leaf('lemon leaf', green, length, width)
        leaf.location, leaf.rotation_euler = place, (math.radians(8), math.radians(-tilt), math.radians(turn))


def build(shot):
    random = shot.random
    shot.add_color('mug', '#ffffff', dyes.GLAZE, dark=dyes.BLACK_GLAZE)
    ceramics.mug(shot, 'F1', (0, 0, .0005), TURN, print_center_degrees=-87 - TURN, print_degrees=140, area='mug')  # clear of the handle
    slab = shapes.box('marble', (0, .55, -.015), (2.6, 1.9, .03), marble(), .004)
    slab.data.update()
    cloth = materials.Weave('blue linen', linear('#8fa3b5'), 420, .5, sheen=.3, variation=.24, wrinkles=(14, .4, .004)).material
    tabletop.napkin((.185, .085, 0), -31, cloth, size=.28, rumple=1.1, seed=4)
    skin = lemon_skin()
    for x, y, turn in ((.148, .030, 62), (.200, .100, 15), (-.30, .34, 100)):
        lemon(random, x, y, turn, skin)
    sprig(linear('#4c6b35'))

    shapes.plane('wall', (0, 1.45, .6), 6, 3, materials.plaster('wall', linear('#dfe3e2'), .2), rotation=(math.pi / 2, 0, 0))
    board = materials.wood('board', 'Z', materials.OAK, .95, .5, 1.2)
    shapes.box('board', (.33, 1.25, .20), (.28, .022, .42), board, .010, 5, rotation=(math.radians(-9), 0, math.radians(-5)))
    round_board = shapes.lathe('round board', [(0, 0), (.15, 0), (.156, .006), (.156, .014), (.15, .02), (0, .02)],
                               materials.wood('round board', 'X', materials.WALNUT, 1.3, .5, 1.2), 96)
    round_board.location, round_board.rotation_euler = (.06, 1.30, .15), (math.radians(80), 0, 0)
    tabletop.jar(-.24, .80, .15, '#e7e3da')
    tabletop.potted_plant(random, -.42, .72, '#e4e0d8', '#5f7f4c', height=.10, reach=.22)

    lights.soft_box((.72, -.20, .40), (0, 0, .07), .50, .62, 6.5, (1, .98, .95))
    lights.soft_box((.38, -.16, .20), (0, 0, .10), .26, .36, 1.3, (1, .985, .96))  # wide and weak: the marble mirrors it into the glaze
    lights.soft_box((-.9, -.8, .9), (0, 0, .05), 1.2, .9, 4.5, (.92, .96, 1))
    direction = Vector((-.75, -.30, -.56)).normalized()
    window = lights.Window((.0, .04, .03), direction, .50, .70, bars_x=(-.10,), bars_y=(.16,), bar=.022, distance=1.3)
    window.twigs(random, [(.30, .35, -2.2, .4), (-.30, .32, -.8, .35)], .06)
    lights.sun(direction, 2.5, 1.4, (1, .93, .82))
    lights.sky((.90, .95, 1.0), .45)
    shot.camera((-.06, -.64, .165), (.020, 0, .046), 98, focus=(0, -.036, .05), f_stop=7)
