"""A wide picture in a black frame on a dark blue-green wall; evening, lit by a table lamp on a walnut console."""

import math

import bpy

from studio import frames, furniture, lights, materials, plants, shapes, surface
from studio.nodes import linear

TEMPLATE = {
    'id': 'black-frame-landscape',
    'name': 'Black landscape frame in lamplight',
    'category': 'Wall Art',
    'type': 'print',
    'surface_type': None,
    'render_mode': 'corners',
    'picture_ratio': 4 / 3,
    'seed': 23,
}
TOP = .80
WARM = (1, .70, .40)


def spot(location, target, watts, degrees, radius):
    light = bpy.data.lights.new('lamp', 'SPOT')
    light.energy, light.spot_size, light.spot_blend, light.shadow_soft_size, light.color = watts, math.radians(degrees), .55, radius, WARM
    thing = bpy.data.objects.new('lamp', light)
    bpy.context.collection.objects.link(thing)
    thing.location, thing.rotation_euler = location, lights.facing(location, target)
    thing.visible_camera = False


def table_lamp(x, y):
    clay = materials.stoneware('lamp foot', linear('#d8cdbb'), linear('#bfb29c'), .6, 80)
    foot = shapes.turned_profile([(0, 0), (.055, 0), (.082, .02), (.098, .08), (.088, .14), (.045, .19), (.018, .215), (.014, .24)], 60)
    shapes.lathe('lamp foot', foot, clay, 96).location = (x, y, TOP)
    brass = materials.metal('brass', linear('#b98a43'), .3)
    shapes.tube('lamp stem', [(x, y, TOP + .23), (x, y, TOP + .30)], .007, brass)
    furniture.linen_lampshade(x, y, TOP + .29, .165, .21, 1.15, WARM)
    spot((x, y, TOP + .37), (x, y, TOP + 2), 62, 124, .05)
    spot((x, y, TOP + .40), (x, y, TOP - 2), 34, 128, .05)


def build(shot):
    random = shot.random
    shapes.wall('wall', materials.plaster('wall', linear('#6b807c'), .34, .07))
    shapes.box('floor', (0, -3, -.05), (9, 6, .1), materials.wood('floor', 'X', brightness=.7))
    black = materials.wood('black ash across', 'X', ('#0b0a0a', '#151413', '#1d1b1a', '#272524'), roughness=.36)
    upright = materials.wood('black ash upright', 'Z', ('#0b0a0a', '#151413', '#1d1b1a', '#272524'), roughness=.36)
    artwork = frames.picture_frame('F1', (.10, -.002, 1.50), .78, .52, .016, .030, (black, upright), surface.paper('F1', shot.artwork('F1')),
                                   mat_width=.07, mat_material=materials.plain('mat board', linear('#f3efe6'), .85, .2), lean_degrees=.5)
    shot.add_frame('F1', .78 / .52, artwork)

    walnut = materials.wood('console top', 'X', materials.WALNUT, 1.25, .34, rings=.16)
    shapes.box('console top', (0, -.20, TOP - .015), (2.4, .38, .03), walnut, .003)
    shapes.box('console front', (0, -.19, TOP - .14), (2.36, .34, .20), materials.wood('console front', 'X', materials.WALNUT, 1.1, .4), .003)
    for x in (-.39, .39):
        shapes.box('gap', (x, -.361, TOP - .14), (.004, .002, .20), materials.plain('gap', (.005, .004, .003, 1), .9), 0)
    brass = materials.metal('brass', linear('#b98a43'), .3)
    for x in (-.78, 0, .78):
        shapes.tube('handle', [(x - .05, -.375, TOP - .10), (x + .05, -.375, TOP - .10)], .004, brass)
    table_lamp(-.66, -.20)
    furniture.books(random, .62, -.20, TOP, ('#7c3f2c', '#c9b48c', '#28343a'), width=.27)
    bowl = shapes.turned_profile([(0, 0), (.035, 0), (.04, .006), (.075, .03), (.092, .062), (.094, .066), (.089, .063), (.07, .034), (.03, .012), (0, .01)])
    shapes.lathe('bowl', bowl, materials.metal('brass bowl', linear('#a8793a'), .33), 96).location = (.30, -.21, TOP)
    green, stem = materials.leaf('leaf', linear('#4d5f3f'), .25), materials.plain('stem', linear('#5a4a35'), .8)
    vase = shapes.turned_profile([(0, 0), (.04, 0), (.062, .03), (.068, .09), (.05, .15), (.026, .18), (.024, .21), (.03, .222)], 60)
    shapes.lathe('vase', vase + [(.026, .222)] + [(max(0, r - .005), z) for r, z in vase[::-1] if z > .02],
                 materials.stoneware('vase', linear('#35383a'), linear('#232527'), .5), 96).location = (.93, -.18, TOP)
    for dx, dy, length, curve in ((-.30, -.10, .52, .30), (.24, -.10, .48, .30), (.0, -.22, .60, .24), (-.12, .10, .44, .3), (.40, .04, .40, .4)):
        plants.branch((.93 + dx * .03, -.18 + dy * .03, TOP + .17), (dx, dy, 1), length, green, stem, random, 18, (.070, .038), curve)
    shot.camera((.34, -3.3, 1.40), (.10, 0, 1.30), 62)

    lights.soft_box((-1.9, -2.4, 2.2), (.1, 0, 1.4), 1.4, 1.2, 82, (1, .84, .66))  # another lamp in the room
    lights.soft_box((2.6, -2.4, 2.4), (0, 0, 1.2), 2.2, 2.0, 40, (.78, .86, 1.0))
    lights.sky((.70, .80, 1.0), .30)
