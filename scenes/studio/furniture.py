"""Pieces of furniture and decoration that more than one room can use."""

import math

from . import materials, shapes
from .nodes import MaterialBuilder, linear


def books(random, x, y, z, colors, lying=True, width=.25):
    """A pile of lying books (first color lowest) or a row of standing ones; returns the height of the pile or the end of the row."""
    builder = MaterialBuilder('book block')
    sheets = builder.noise(builder.coordinates(scale=(1, 1, 900) if lying else (900, 1, 1)), 1, 2)
    builder.principled(Base_Color=builder.mix(sheets, linear('#efe8da'), linear('#c9bea8')), Roughness=.9, Specular=.1)
    place = z if lying else x
    for i, color in enumerate(colors):
        thick = random.uniform(.017, .032)
        long, deep = width * random.uniform(.86, 1.0) - .012 * i * lying, random.uniform(.15, .19)
        cover = materials.plain('book cover', linear(color), .6, .3)
        if lying:
            turn = (0, 0, random.uniform(-.14, .14))
            block, hinge = (long - .008, deep - .004, thick - .006), (0, 0, 0)
            shapes.box('pages', (x, y, place + thick / 2), block, builder.material, 0, rotation=turn)
            for edge in (-1, 1):
                shapes.box('cover', (x, y, place + thick / 2 + edge * (thick / 2 - .0015)), (long, deep + .004, .003), cover, .0008, rotation=turn)
            spine = (x - math.sin(-turn[2]) * 0 + math.sin(turn[2]) * deep / 2, y + math.cos(turn[2]) * deep / 2, place + thick / 2)
            shapes.box('spine', spine, (long, .004, thick), cover, .0012, rotation=turn)
        else:
            lean = (0, random.uniform(-.02, .02), 0)
            tall = long
            shapes.box('spine', (place + thick / 2, y - deep / 2, z + tall / 2), (thick, .004, tall), cover, .0015, rotation=lean)
            for edge in (-1, 1):
                shapes.box('cover', (place + thick / 2 + edge * (thick / 2 - .0012), y, z + tall / 2), (.0024, deep, tall), cover, .0008, rotation=lean)
            shapes.box('pages', (place + thick / 2, y, z + tall / 2), (thick - .005, deep - .008, tall - .008), builder.material, 0, rotation=lean)
        place += thick + (0 if lying else .0006)
    return place


def linen_lampshade(x, y, z, radius=.15, height=.20, glow=5.0, color=(1, .72, .42)):
    """A lit fabric shade: brightest at the bulb, with the weave showing."""
    builder = MaterialBuilder('lampshade')
    position = builder.coordinates()
    height_part = builder.node('SeparateXYZ', {0: position}).outputs[2]
    near_bulb = builder.subtract(1.0, builder.multiply(builder.math('ABSOLUTE', builder.subtract(height_part, height * .45)), 3.2))
    threads = builder.noise(builder.coordinates(scale=(60, 60, 500)), 1, 3)
    strength = builder.multiply(builder.multiply(near_bulb, builder.add(.82, builder.multiply(threads, .36))), glow)
    emission = builder.node('Emission', {'Color': (*color, 1), 'Strength': strength})
    cloth = builder.node('BsdfDiffuse', {'Color': linear('#e8dcc6')})
    builder.surface(builder.node('AddShader', {0: emission.outputs[0], 1: cloth.outputs[0]}).outputs[0])
    profile = [(radius, 0), (radius * .80, height), (radius * .80 - .003, height), (radius - .003, 0)]
    thing = shapes.lathe('lampshade', profile, builder.material, 96)
    thing.location = (x, y, z)
    return thing


def picture_ledge(center, width, material, depth=.10):
    """A narrow shelf with a lip; returns the height of its top."""
    x, y, z = center
    shapes.box('ledge', (x, y - depth / 2, z), (width, depth, .018), material, .0015)
    shapes.box('ledge lip', (x, y - depth + .006, z + .012), (width, .012, .03), material, .0015)
    shapes.box('ledge back', (x, y - .006, z + .03), (width, .012, .06), material, .0015)
    return z + .009
