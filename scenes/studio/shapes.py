"""Meshes: boxes with real (rounded) edges, turned shapes, tubes, planes."""

import math

import bpy
import numpy as np

CORNER_STEPS = 12                         # of a rounded_slab()
SLAB_POINTS = 4 * (CORNER_STEPS + 1)


def mesh(name, vertices, faces, material=None, smooth=False, uv=None):
    """A mesh object in the scene; `uv` is one (u, v) per vertex."""
    data = bpy.data.meshes.new(name)
    data.from_pydata([tuple(map(float, v)) for v in vertices], [], [tuple(map(int, f)) for f in faces])
    data.update()
    thing = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(thing)
    if material:
        data.materials.append(material)
    if uv is not None:
        layer = data.uv_layers.new(name='UVMap')
        for loop in data.loops:
            layer.data[loop.index].uv = uv[loop.vertex_index]
    if smooth:
        for polygon in data.polygons:
            polygon.use_smooth = True
    return thing


def empty(name, location=(0, 0, 0), rotation=(0, 0, 0)):
    thing = bpy.data.objects.new(name, None)
    bpy.context.collection.objects.link(thing)
    thing.location, thing.rotation_euler = location, rotation
    return thing


def round_edges(thing, width, segments=3, angle_degrees=50):
    bevel = thing.modifiers.new('edges', 'BEVEL')
    bevel.width, bevel.segments = width, segments
    for polygon in thing.data.polygons:
        polygon.use_smooth = True
    thing.data.use_auto_smooth = True
    thing.data.auto_smooth_angle = math.radians(angle_degrees)


def subdivide(thing, levels):
    modifier = thing.modifiers.new('smooth', 'SUBSURF')
    modifier.levels = modifier.render_levels = levels


def box(name, center, size, material=None, edge=.003, segments=3, rotation=None):
    """A box with rounded edges: nothing in a room has a perfectly sharp one, and the highlights on edges sell the picture."""
    x, y, z = (side / 2 for side in size)
    corners = [(sx * x, sy * y, sz * z) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    thing = mesh(name, corners, faces, material)
    thing.location = center
    if rotation:
        thing.rotation_euler = rotation
    if edge:
        round_edges(thing, edge, segments)
    return thing


def rounded_slab(name, width, height, radius, profile, material):
    """A rounded rectangle built up from (inset, height) rings, closed at the bottom and the top. Every ring has SLAB_POINTS vertices."""
    outline = []
    for sx, sy, first in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        for step in range(CORNER_STEPS + 1):
            angle = math.radians(first + 90 * step / CORNER_STEPS)
            outline.append((sx * (width / 2 - radius), sy * (height / 2 - radius), math.cos(angle), math.sin(angle)))
    count, vertices, faces = len(outline), [], []
    for inset, z in profile:
        vertices += [(x + (radius - inset) * c, y + (radius - inset) * s, z) for x, y, c, s in outline]
    for ring in range(len(profile) - 1):
        for k in range(count):
            j = (k + 1) % count
            faces.append((ring * count + k, ring * count + j, (ring + 1) * count + j, (ring + 1) * count + k))
    faces += [tuple(range(count))[::-1], tuple((len(profile) - 1) * count + k for k in range(count))]
    thing = mesh(name, vertices, faces, material, smooth=True)
    thing.data.use_auto_smooth, thing.data.auto_smooth_angle = True, math.radians(40)
    return thing


def plane(name, center, width, height, material=None, rotation=(0, 0, 0)):
    """A rectangle facing +z before rotation, with UV 0..1. Vertex order: bottom left, bottom right, top right, top left."""
    x, y = width / 2, height / 2
    thing = mesh(name, [(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], [(0, 1, 2, 3)], material, uv=[(0, 0), (1, 0), (1, 1), (0, 1)])
    thing.location, thing.rotation_euler = center, rotation
    return thing


def wall(name, material, y=0.0, width=8, height=5, center_x=0.0):
    return plane(name, (center_x, y, height / 2 - 1), width, height, material, rotation=(math.pi / 2, 0, 0))


def lathe(name, profile, material=None, segments=128):
    """Turns a profile of (radius, height) points around z."""
    vertices, faces, count = [], [], len(profile)
    for step in range(segments):
        angle = 2 * math.pi * step / segments
        vertices += [(r * math.cos(angle), r * math.sin(angle), z) for r, z in profile]
    for step in range(segments):
        here, following = step * count, (step + 1) % segments * count
        faces += [(here + i, following + i, following + i + 1, here + i + 1) for i in range(count - 1)]
    return mesh(name, vertices, faces, material, smooth=True)


def smooth_curve(points, steps=60):
    """Catmull-Rom spline through 2-D or 3-D points, as an array."""
    p = np.array(points, float)
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    spans, result = len(p) - 3, []
    for step in range(steps + 1):
        t = step / steps * spans
        i = min(int(t), spans - 1)
        u = t - i
        a, b, c, d = p[i:i + 4]
        result.append(.5 * (2 * b + (c - a) * u + (2 * a - 5 * b + 4 * c - d) * u * u + (3 * b - a - 3 * c + d) * u ** 3))
    return np.array(result)


def turned_profile(points, steps=60):
    """A smooth profile for lathe(); radii never below 0."""
    return [(max(0.0, r), z) for r, z in smooth_curve(points, steps)]


def tube(name, points, radii, material=None, sides=12):
    """A round tube along points; `radii` is one radius per point or a single number."""
    data = bpy.data.curves.new(name, 'CURVE')
    data.dimensions = '3D'
    spline = data.splines.new('POLY')
    spline.points.add(len(points) - 1)
    varied = hasattr(radii, '__len__')
    for i, point in enumerate(points):
        spline.points[i].co = (*point, 1)
        spline.points[i].radius = radii[i] if varied else 1
    data.bevel_depth = 1.0 if varied else radii
    data.bevel_resolution = sides // 2
    data.use_fill_caps = True
    spline.use_smooth = True
    thing = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(thing)
    if material:
        data.materials.append(material)
    return thing
