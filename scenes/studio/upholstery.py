"""Sofas and pillows. The pillow is a cloth simulation kept as a file (meshes/pillow.npz, made by simulate_pillow.py)."""

import math
import os

import bmesh
import bpy
import numpy as np
from mathutils import Vector, noise
from scipy.ndimage import gaussian_filter

from . import shapes

MESHES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'meshes')


def pillow(name, material, location, rotation, size=1.0, fullness=.85, character=1):
    """A square pillow, .46 m x `size`, standing in its own xy plane; faces that look forward carry the attribute `front`.

    `character` is a number that changes its dents; 0 is the simulation as it came.
    """
    data = np.load(os.path.join(MESHES, 'pillow.npz'))
    points, side = data['co'] * size, float(data['size'])
    points[:, 2] *= fullness
    if character:  # the filling sinks, top corners flop
        height = points[:, 1] / (side * size / 2)
        points[:, 2] *= 1 - .16 * height
        points[:, 1] -= .012 * (1 - height * height) * (points[:, 2] > 0)
    for point in points:
        dent = noise.noise(Vector((point[0] * 5 + character * 7, point[1] * 5, size * 3)))
        point[2] += .007 * dent * math.copysign(1, point[2]) * min(1, abs(point[2]) * 30)
    thing = shapes.mesh(name, points.tolist(), data['T'].tolist(), material, smooth=True, uv=(data['V2'] / side + .5).tolist())
    front = thing.data.attributes.new('front', 'FLOAT', 'FACE')
    front.data.foreach_set('value', data['ff'].astype(np.float32))
    shapes.subdivide(thing, 2)
    thing.location, thing.rotation_euler = location, rotation
    return thing


def drawn_pillow(name, material, location, rotation, side=.46, thick=.085, character=1):
    """A square pillow of two panels that meet in a seam, standing in its own xy plane: plump in the middle, pulled in along its sides, puckered
    at the seam. `thick` is how far each panel stands out, in metres; `character` is a number that changes dents and puckers.
    """
    steps = 64
    grid = np.sin(np.linspace(-1, 1, steps + 1) * math.pi / 2)  # denser towards the seam
    v, u = np.meshgrid(grid, grid, indexing='ij')
    rest_u, rest_v = 1 - u * u, 1 - v * v
    random = np.random.RandomState(character)

    def uneven(along):
        """A smooth random curve of about unit height."""
        return sum(np.sin(along * wave + random.uniform(0, 6.3)) * random.uniform(.5, 1) for wave in (5, 8, 13, 19)) / 1.7

    x = u * (1 - .070 * rest_v * np.abs(u) ** 1.6 * (1 + .16 * uneven(v)))
    y = v * (1 - .055 * rest_u * np.abs(v) ** 1.6 * (1 + .16 * uneven(u)))
    y -= .045 * rest_u * np.clip(v, 0, 1)  # the top sinks between its corners
    profile = (rest_u * rest_v) ** .58
    panels = []
    for _ in range(2):
        puckers = uneven(v * 1.3) * np.exp(-(1 - np.abs(u)) / .16) + uneven(u * 1.3) * np.exp(-(1 - np.abs(v)) / .16)
        corners = np.exp(-((np.abs(u) - np.abs(v)) / .09) ** 2) * np.exp(-((np.abs(u) + np.abs(v) - 1.45) / .35) ** 2)
        dents = gaussian_filter(random.normal(0, 1, u.shape), steps / 9)
        dents /= dents.std()
        panels.append(thick * profile * (1 - .17 * v + .055 * dents) + thick * np.sqrt(profile) * (.075 * puckers - .13 * corners))
    half, rim = side / 2, (np.abs(u) == 1) | (np.abs(v) == 1)
    numbers = np.arange(u.size).reshape(u.shape)
    behind = numbers.copy()
    behind[~rim] = u.size + np.arange((~rim).sum())
    front_points = np.c_[half * x.ravel(), half * y.ravel(), panels[0].ravel()]
    back_points = np.c_[half * x[~rim], half * y[~rim], -panels[1][~rim]]
    faces = []
    for plane, order in ((numbers, 1), (behind, -1)):
        quads = np.dstack([plane[:-1, :-1], plane[:-1, 1:], plane[1:, 1:], plane[1:, :-1]]).reshape(-1, 4)
        faces += quads[:, ::order].tolist()
    flat = np.c_[u.ravel(), v.ravel()]
    places = np.vstack([flat, flat[~rim.ravel()]]) / 2 + .5
    thing = shapes.mesh(name, np.vstack([front_points, back_points]).tolist(), faces, material, smooth=True, uv=places.tolist())
    shapes.subdivide(thing, 1)
    thing.location, thing.rotation_euler = location, rotation
    return thing


def padded_block(name, center, size, edge, material, rotation=(0, 0, 0), bulge=.02, character=0.0):
    """A foam block in a cover: bulged sides, long uneven waves, rounded edges, and UV in metres for the weave."""
    thing = shapes.box(name, center, size, material, 0, rotation=rotation)
    grid = bmesh.new()
    grid.from_mesh(thing.data)
    bmesh.ops.subdivide_edges(grid, edges=grid.edges[:], cuts=14, use_grid_fill=True)
    grid.to_mesh(thing.data)
    grid.free()
    for vertex in thing.data.vertices:
        x, y, z = (2 * vertex.co[i] / size[i] for i in range(3))
        if abs(z) > .999:
            vertex.co.z += math.copysign(bulge * (1 - min(1, abs(x)) ** 4) * (1 - min(1, abs(y)) ** 4), z)
        if abs(y) > .999:
            vertex.co.y += math.copysign(.6 * bulge * (1 - abs(x) ** 4) * (1 - abs(z) ** 4), y)
        wave = noise.noise(Vector((vertex.co.x * 4 + character, vertex.co.y * 4, vertex.co.z * 4)))
        vertex.co += Vector((0, -.006, .006)) * wave
    layer = thing.data.uv_layers.new(name='UVMap')
    for polygon in thing.data.polygons:
        sideways = abs(polygon.normal.x) > .7
        for index in polygon.loop_indices:
            point = thing.data.vertices[thing.data.loops[index].vertex_index].co
            layer.data[index].uv = (point.x + .5 * point.y * sideways, point.z if sideways else point.z + point.y)
    bevel = thing.modifiers.new('edges', 'BEVEL')
    bevel.width, bevel.segments, bevel.limit_method, bevel.angle_limit = edge, 5, 'ANGLE', math.radians(50)
    for polygon in thing.data.polygons:
        polygon.use_smooth = True
    shapes.subdivide(thing, 1)
    return thing


def boxed_cushion(name, center, size, radius, material, welt, rotation=(0, 0, 0), bulge=.04, character=1):
    """A sofa cushion: two broad panels (across its least side) that bulge, a border between them, and a corded welt along both seams.

    `welt` is the cord's material; UV is in metres for the weave; `character` is a number that changes dents and puckers.
    """
    half = np.array(size) / 2
    broad = int(np.argmin(half))
    sides = [axis for axis in range(3) if axis != broad]
    random = np.random.RandomState(character)
    waves = [(random.normal(0, 7, 3), random.uniform(0, 6.3), random.uniform(.4, 1)) for _ in range(9)]

    def deformed(points):
        """Rounded, bulged and dented places of points on the plain box."""
        core = np.clip(points, radius - half, half - radius)
        out = points - core
        places = core + radius * out / np.maximum(1e-9, np.linalg.norm(out, axis=1))[:, None]
        a, b = (np.clip(np.abs(places[:, axis]) / half[axis], 0, 1) for axis in sides)
        level = places[:, broad] / half[broad]
        dent = sum(np.sin(points @ way + phase) * strength for way, phase, strength in waves) / 3
        inner = np.clip((1 - a ** 2.4) * (1 - b ** 2.4), 0, 1) ** .6
        pucker = sum(np.sin(along * wave + wave) for along in (points[:, sides[0]], points[:, sides[1]]) for wave in (31, 53)) / 4
        places[:, broad] += np.sign(level) * np.abs(level) ** 3 * (bulge * inner + .0055 * dent * inner ** .5 + .0035 * pucker * inner ** .25 * (1 - inner))
        for axis, across in zip(sides, (b, a)):  # the border swells, and gives a little towards the corners
            edge = places[:, axis] / half[axis]
            places[:, axis] += np.sign(edge) * np.abs(edge) ** 5 * (.35 * bulge * (1 - level * level) * (1 - across ** 4) + .004 * dent - .010 * across ** 6)
        return places

    steps, vertices, faces = 40, [], []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1, 1):
            t = np.sin(np.linspace(-1, 1, steps + 1) * math.pi / 2)
            grid = np.zeros((steps + 1, steps + 1, 3))
            grid[..., axis], grid[..., u], grid[..., v] = side * half[axis], t[:, None] * half[u], t[None] * half[v]
            numbers = len(vertices) * (steps + 1) ** 2 + np.arange((steps + 1) ** 2).reshape(steps + 1, steps + 1)
            vertices.append(grid.reshape(-1, 3))
            quads = np.dstack([numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:]]).reshape(-1, 4)
            faces.append(quads[:, ::side])
    box_points = np.vstack(vertices)
    thing = shapes.mesh(name, deformed(box_points), np.vstack(faces), material, smooth=True)
    layer = thing.data.uv_layers.new(name='UVMap')
    for polygon in thing.data.polygons:
        across = int(np.argmax(np.abs(polygon.normal)))
        for index in polygon.loop_indices:
            point = box_points[thing.data.loops[index].vertex_index]
            layer.data[index].uv = [(point[1], point[2]), (point[0], point[2]), (point[0], point[1])][across]
    joined = thing.modifiers.new('joined', 'WELD')
    joined.merge_threshold = 1e-5
    thing.location, thing.rotation_euler = center, rotation
    for side in (-1, 1):
        turn = np.linspace(0, 2 * math.pi, 321)[:-1]
        round_ = np.c_[np.cos(turn), np.sin(turn)]
        loop = np.zeros((len(turn), 3))
        loop[:, sides] = round_ / np.abs(round_).max(1)[:, None] * half[sides]
        loop[:, broad] = side * half[broad]
        cord = shapes.tube('welt', [tuple(point) for point in deformed(loop)], .0042, welt, sides=10)
        cord.data.splines[0].use_cyclic_u = True
        cord.parent = thing
    return thing


def piping(cushion, material, radius=.0032):
    """A corded seam around a pillow() where its two panels meet; follows the subdivided surface."""
    bpy.context.view_layer.update()
    evaluated = cushion.evaluated_get(bpy.context.evaluated_depsgraph_get())
    surface = evaluated.to_mesh()
    front = [value.value > .5 for value in surface.attributes['front'].data]
    owners = {}
    for polygon in surface.polygons:
        for key in polygon.edge_keys:
            owners.setdefault(key, []).append(front[polygon.index])
    neighbours = {}
    for (a, b), sides in owners.items():
        if len(sides) == 2 and sides[0] != sides[1]:
            neighbours.setdefault(a, []).append(b)
            neighbours.setdefault(b, []).append(a)
    start = next(iter(neighbours))
    loop, previous, here = [start], None, start
    while True:
        following = next((n for n in neighbours[here] if n != previous), None)
        if following is None or following == start:
            break
        loop.append(following)
        previous, here = here, following
    points = [tuple(surface.vertices[i].co) for i in loop]
    evaluated.to_mesh_clear()
    cord = shapes.tube('piping', points, radius, material, sides=10)
    cord.data.splines[0].use_cyclic_u = True
    cord.parent = cushion
    return cord
