"""A greeting card that stands half open on a pale table; kraft envelope, dried grass, shadows of leaves."""

import math

from mathutils import Vector

from studio import lights, materials, plants, shapes, surface
from studio.nodes import MaterialBuilder, linear, scaled

TEMPLATE = {
    'id': 'greeting-card-standing',
    'name': 'Standing greeting card',
    'category': 'Stationery',
    'type': 'product',
    'surface_type': 'paper',
    'render_mode': 'corners',
    'picture_ratio': 1,
    'seed': 14,
}
WIDTH, HEIGHT = .127, .178  # 5 x 7 inches


def kraft():
    """Brown envelope paper with its flecks."""
    builder = MaterialBuilder('kraft')
    position = builder.coordinates()
    fibres = builder.noise(builder.mapped(position, (900, 260, 1)), 1, 3, .6)
    flecks = builder.math('GREATER_THAN', builder.noise(position, 900, 2), .70)
    color = linear('#b08a5e')
    tint = builder.mix(builder.multiply(fibres, .4), color, scaled(color, .68))
    tint = builder.mix(builder.multiply(flecks, .35), tint, scaled(color, .45))
    builder.principled(Base_Color=tint, Roughness=.8, Specular=.2, Normal=builder.bump(fibres, .2, .0004))
    return builder.material


def card(shot, frame_name):
    """Two panels that share the fold; the front one faces the camera."""
    root = shapes.empty('card', (-.015, 0, 0), (0, 0, math.radians(-6)))
    white = materials.plain('card stock', (.83, .825, .81, 1), .6, .25)
    front = shapes.plane('front', (0, 0, HEIGHT / 2 + .0002), WIDTH, HEIGHT, surface.paper(frame_name, shot.artwork(frame_name), .85, .5, .3),
                         rotation=(math.pi / 2, 0, 0))
    inside = shapes.box('front board', (0, .00025, HEIGHT / 2 + .0002), (WIDTH, .0004, HEIGHT), white, .00012)
    angle = math.radians(38)
    back = shapes.box('back board', (-WIDTH / 2 + WIDTH / 2 * math.cos(angle), .0006 + WIDTH / 2 * math.sin(angle), HEIGHT / 2), (WIDTH, .0004, HEIGHT), white,
                      .00012, rotation=(0, 0, angle))
    for part in (front, inside, back):
        part.parent = root
    shot.add_frame(frame_name, WIDTH / HEIGHT, front)


def envelope(x, y, turn):
    paper = kraft()
    root = shapes.empty('envelope', (x, y, 0), (0, 0, math.radians(turn)))
    body = shapes.box('envelope body', (0, 0, .0012), (.190, .135, .0018), paper, .0006)
    flap = shapes.mesh('flap', [(-.095, .0675, .0026), (.095, .0675, .0026), (.004, -.012, .0042), (-.004, -.012, .0042)], [(0, 3, 2, 1)], paper)
    thick = flap.modifiers.new('paper', 'SOLIDIFY')
    thick.thickness = .0003
    seal = shapes.lathe('wax seal', [(0, 0), (.0118, 0), (.0132, .0010), (.0128, .0022), (.0100, .0030), (.0092, .0022), (0, .0020)],
                        materials.plain('wax', linear('#8f3b30'), .32, .5), 72)
    for i, vertex in enumerate(seal.data.vertices):
        swell = 1 + .05 * math.sin(math.atan2(vertex.co.y, vertex.co.x) * 3 + 1) + .03 * math.sin(math.atan2(vertex.co.y, vertex.co.x) * 7)
        vertex.co.x, vertex.co.y = vertex.co.x * swell, vertex.co.y * swell
    seal.location = (0, -.006, .0042)
    for part in (body, flap, seal):
        part.parent = root


def dried_grass(random, x, y):
    straw = materials.leaf('dried grass', linear('#c9a878'), .35)
    stem = materials.plain('straw', linear('#b8965f'), .8)
    for k in range(7):
        heading = (random.uniform(-.95, -.55), random.uniform(-.25, .35), 0)
        plants.branch((x, y + .004 * k, .004 + .0015 * k), heading, random.uniform(.16, .22), straw, stem, random, 26, (.017, .0055), .10, .0008,
                      lift=.03, first_leaf=.45)
    twine = materials.plain('twine', linear('#d8c7a6'), .95)
    ring = [(x - .038 + .002 * math.cos(a), y + .012 + .018 * math.cos(a), .008 + .008 * math.sin(a)) for a in [2 * math.pi * i / 24 for i in range(25)]]
    shapes.tube('twine', ring, .0011, twine)


def build(shot):
    random = shot.random
    card(shot, 'F1')
    envelope(.105, -.055, 17)
    dried_grass(random, .25, .055)
    shapes.plane('table', (0, 0, 0), 5, 5, materials.plaster('limewash table', linear('#d9cec0'), .22, .12))
    shapes.plane('wall', (0, .62, 1), 5, 3, materials.plaster('wall', linear('#cbb9a4'), .3), rotation=(math.pi / 2, 0, 0))
    bud = shapes.turned_profile([(0, 0), (.03, 0), (.045, .02), (.047, .055), (.030, .085), (.012, .105), (.011, .125), (.015, .132)], 60)
    shapes.lathe('bud vase', bud + [(.0125, .132), (.009, .12)], materials.stoneware('bud vase', linear('#8f9a86'), linear('#78846f'), .5), 96).location = (-.20, .20, 0)
    green, stem = materials.leaf('leaf', linear('#7d8a63'), .3), materials.plain('stem', linear('#6b5a3a'), .7)
    for dx, dy, length in ((-.2, -.1, .20), (.22, .05, .17), (.02, .1, .24)):
        plants.branch((-.20, .20, .12), (dx, dy, 1), length, green, stem, random, 14, (.034, .019), .3, .0014)
    direction = Vector((.72, .62, -.60)).normalized()
    window = lights.Window((-.005, 0, .08), direction, .62, .75, bars_x=(-.17,), bars_y=(-.15,), bar=.018, distance=1.3)
    window.twigs(random, [(-.32, .38, -.6, .32), (.32, .36, -2.4, .30), (-.32, -.08, .0, .14)], .05)
    lights.sun(direction, 2.6, 1.4, (1, .91, .79))
    lights.soft_box((-.9, -.8, .9), (0, 0, .08), .9, .9, 9, (1, .98, .95))
    lights.sky((.88, .94, 1.0), .42)
    shot.camera((.10, -.80, .30), (.012, 0, .082), 86, focus=(-.01, -.005, .09), f_stop=8)
