"""Small things on tables: planks, napkins, coffee beans, pots."""

import math

from mathutils import Vector, noise

from . import materials, plants, shapes
from .nodes import MaterialBuilder, linear


def planks(random, palette, count=10, width=.145, length=2.6, brightness=.62, scale=1.6, roughness=.38):
    """A table top of planks along x; its surface is z = 0."""
    for i in range(count):
        board = materials.wood('plank %d' % i, 'X', palette, brightness + .10 * random.random(), roughness, scale)
        place = (random.uniform(-.1, .1), (i - count * .42) * width, -.015)
        shapes.box('plank', place, (length, width - .001, .03), board, .0012)


def napkin(location, turn_degrees, material, size=.30, rumple=1.0, seed=0.0):
    """A rumpled square of linen; `material` wants UV."""
    steps = 90
    vertices, faces, uv = [], [], []
    for j in range(steps):
        for i in range(steps):
            x, y = (i / (steps - 1) - .5) * size, (j / (steps - 1) - .5) * size
            broad = noise.noise(Vector((x * 9 + seed, y * 9, .3)))
            fine = noise.noise(Vector((x * 22 + 3 + seed, y * 14, 1.3)))
            lift = max(0, rumple * (.010 * broad + .004 * fine + .004)) * min(1, (abs(x) + abs(y)) * 9)
            vertices.append((x + .006 * fine, y + .006 * broad, .0022 + lift))
            uv.append((i / (steps - 1), j / (steps - 1)))
    for j in range(steps - 1):
        for i in range(steps - 1):
            b = j * steps + i
            faces.append((b, b + 1, b + steps + 1, b + steps))
    thing = shapes.mesh('napkin', vertices, faces, material, smooth=True, uv=uv)
    thing.location, thing.rotation_euler = location, (0, 0, math.radians(turn_degrees))
    thickness = thing.modifiers.new('cloth', 'SOLIDIFY')
    thickness.thickness = .0009
    return thing


def coffee_beans(random, x, y, count, spread=(.022, .016)):
    builder = MaterialBuilder('coffee bean')
    mottle = builder.noise(builder.coordinates(), 90, 3)
    builder.principled(Base_Color=builder.mix(mottle, linear('#24120a'), linear('#4a2a18')), Roughness=.38, Specular=.5)
    for _ in range(count):
        vertices, faces, rings, around = [], [], 16, 24
        for ring in range(rings + 1):
            latitude = math.pi * ring / rings - math.pi / 2
            for step in range(around):
                longitude = 2 * math.pi * step / around
                bx, by, bz = math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude)
                if bz > 0:  # the flat side with its furrow
                    bz = bz * .55 - .30 * math.exp(-(by / .13) ** 2) * (1 - abs(bx) ** 4)
                vertices.append((bx * .0056, by * .0040, bz * .0036))
        for ring in range(rings):
            for step in range(around):
                following = (step + 1) % around
                faces.append((ring * around + step, ring * around + following, (ring + 1) * around + following, (ring + 1) * around + step))
        thing = shapes.mesh('bean', vertices, faces, builder.material, smooth=True)
        thing.location = (x + random.gauss(0, spread[0]), y + random.gauss(0, spread[1]), .0036)
        thing.rotation_euler = (random.uniform(-.5, .5) + (math.pi if random.random() < .4 else 0), random.uniform(-.4, .4), random.uniform(0, 6.3))


def potted_plant(random, x, y, pot_color, leaf_color, height=.12, stems=9, leaf_size=(.06, .034), reach=.28):
    pot = shapes.lathe('pot', [(0, 0), (.06, 0), (.075, height), (.07, height), (.06, height - .02), (0, height - .02)],
                       materials.stoneware('terracotta', linear(pot_color), linear(pot_color), .8, 40), 64)
    pot.location = (x, y, 0)
    green, stem = materials.leaf('leaf', linear(leaf_color)), materials.plain('stem', linear('#5b5a3a'), .7)
    for k in range(stems):
        angle = k * 2.4
        plants.branch((x, y, height - .02), (.6 * math.cos(angle), .6 * math.sin(angle), 1), reach + .14 * random.random(), green, stem, random, 14,
                      leaf_size, .5)


def jar(x, y, height, color, roughness=.35):
    profile = shapes.turned_profile([(0, 0), (.05, 0), (.062, .02), (.064, height * .6), (.04, height * .85), (.036, height), (.030, height), (0, height * .8)], 40)
    thing = shapes.lathe('jar', profile, materials.stoneware('jar', linear(color), linear(color), roughness, 50), 64)
    thing.location = (x, y, 0)
    return thing
