"""Sofas and pillows. The pillow is a cloth simulation kept as a file (meshes/pillow.npz, made by simulate_pillow.py)."""

import math
import os

import bmesh
import bpy
import numpy as np
from mathutils import Vector, noise

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
