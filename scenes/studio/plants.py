"""Branches with leaves: one leaf mesh, instanced around a bent stem at roughly the golden angle, as plants do it."""

import math

import bpy
from mathutils import Matrix, Vector

from . import shapes


def leaf_mesh(material, slimness, bend=.25, steps=14):
    """A leaf of length 1 along +x, folded a little along its midrib."""
    vertices, faces = [], []
    for i in range(steps + 1):
        t = i / steps
        half = slimness * math.sin(math.pi * min(1, t ** .8)) * .5 + .0005
        z = -bend * t * t
        vertices += [(t, -half, z + half * .35), (t, 0, z), (t, half, z + half * .35)]
    for i in range(steps):
        a = i * 3
        faces += [(a, a + 3, a + 4, a + 1), (a + 1, a + 4, a + 5, a + 2)]
    return shapes.mesh('leaf', vertices, faces, material, smooth=True)


def branch(base, direction, length, leaf_material, stem_material, random, leaf_count=16, leaf_size=(.05, .035), curve=.3,
           stem_radius=.0022, lift=.1, first_leaf=.22):
    """A branch from `base`; returns its objects. `leaf_size` is (length, width); `lift` bends the branch up."""
    heading = Vector(direction).normalized()
    aside = heading.cross(Vector((random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-.2, 1)))).normalized()
    points = []
    for i in range(24):
        t = i / 23
        points.append(Vector(base) + heading * length * t + aside * curve * length * t * t + Vector((0, 0, lift * length * t)))
    parts = [shapes.tube('stem', points, [stem_radius * (1 - .7 * i / 23) for i in range(24)], stem_material, sides=6)]
    first = leaf_mesh(leaf_material, leaf_size[1] / leaf_size[0])
    for k in range(leaf_count):
        t = first_leaf + (1 - first_leaf) * k / (leaf_count - 1)
        i = min(22, int(t * 23))
        point = points[i].lerp(points[i + 1], t * 23 - i)
        along = (points[i + 1] - points[i]).normalized()
        outward = along.orthogonal().normalized()
        outward.rotate(Matrix.Rotation(k * 2.4 + random.uniform(-.4, .4), 3, along))
        x = (outward * .9 + along * random.uniform(.25, .8)).normalized()
        y = along.cross(x).normalized()
        size = leaf_size[0] * (1.1 - .5 * t) * random.uniform(.75, 1.15)
        thing = first
        if k:
            thing = bpy.data.objects.new('leaf', first.data)
            bpy.context.collection.objects.link(thing)
        axes = Matrix((x, y, x.cross(y))).transposed().to_4x4()
        thing.matrix_world = Matrix.Translation(point) @ axes @ Matrix.Scale(size, 4)
        parts.append(thing)
    return parts


def broad_leaf(name, material, length, width, fold=.16, arch=.10, ripple=.035, steps=(44, 12)):
    """One leaf seen from near, along +x from its stalk: folded along the midrib, arched, its rim a little uneven. UV: u along the leaf, v across it."""
    along, across = steps
    vertices, faces, uv = [], [], []
    for i in range(along + 1):
        t = i / along
        half = .5 * width * math.sin(math.pi * t ** .85) ** .8 * (1 - .12 * t) + .0008
        for j in range(across + 1):
            s = 2 * j / across - 1
            waves = ripple * width * s * s * math.sin(9 * t + 2.2 * s)
            vertices.append((length * t, half * s, length * arch * math.sin(math.pi * t * .9) + fold * half * abs(s) ** 1.5 + waves))
            uv.append((t, .5 + .5 * s))
    for i in range(along):
        for j in range(across):
            a = i * (across + 1) + j
            faces.append((a, a + across + 1, a + across + 2, a + 1))
    thing = shapes.mesh(name, vertices, faces, material, smooth=True, uv=uv)
    shapes.subdivide(thing, 1)
    return thing
