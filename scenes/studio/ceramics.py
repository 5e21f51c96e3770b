"""Mugs: a turned body, a swept handle, a glaze, and the printed rectangle around the body."""

import math

from . import shapes, surface
from .nodes import MaterialBuilder

RADIUS, HEIGHT = .041, .095
PRINT_LOW, PRINT_HIGH = .0115, .0875  # metres above the table
FIRST_OUTER, LAST_OUTER = 5, 16       # profile points of the straight outer wall


def body_profile():
    r = RADIUS
    profile = [(0, .004), (.028, .004), (.030, 0), (.0345, 0), (.0385, .004), (r, .010)]
    profile += [(r, .010 + (HEIGHT - .018) * i / 10) for i in range(1, 11)]
    profile += [(r, .0905), (r - .0008, .0937), (r - .0022, .095), (r - .0036, .0937), (r - .0040, .0905)]
    return profile + [(r - .0042, .02), (r - .007, .0095), (.024, .0075), (0, .0072)]


def glaze(name, shot, white, area, frame_name=None):
    """White glaze, slightly uneven so that reflections tremble; with a frame name it carries the print."""
    builder = MaterialBuilder(name)
    color = surface.color_area(builder, shot, area, white) if area else white
    if frame_name:
        uv = builder.node('TexCoord').outputs['UV']
        parts = builder.node('SeparateXYZ', {0: uv})
        mask = builder.multiply(builder.within(parts.outputs[0]), builder.within(parts.outputs[1]))
        mask = builder.multiply(mask, builder.math('GREATER_THAN', builder.attribute('outer'), .5))
        color = surface.printed(builder, color, shot.artwork(frame_name), uv, mask)
        surface.write_aov(builder, frame_name, uv, mask)
    waves = builder.noise(builder.coordinates(), 38, 2)
    builder.principled(Base_Color=color, Roughness=.09, Specular=.5, Normal=builder.bump(waves, .035, .004))
    return builder.material


def body(shot, frame_name, white, area, center, span):
    """The mug without its handle; the print is `span` wide around the direction `center`, u runs to the right as one looks at it."""
    profile = body_profile()
    thing = shapes.lathe('mug', profile, None, 192)
    data, count = thing.data, len(profile)
    layer = data.uv_layers.new(name='UVMap')
    for polygon in data.polygons:
        angles = [math.atan2(data.vertices[i].co.y, data.vertices[i].co.x) - center for i in polygon.vertices]
        angles = [(a + math.pi) % (2 * math.pi) - math.pi for a in angles]
        if max(angles) - min(angles) > 3:
            angles = [a if a > 0 else a + 2 * math.pi for a in angles]
        for k, index in enumerate(polygon.loop_indices):
            z = data.vertices[polygon.vertices[k]].co.z
            layer.data[index].uv = (.5 + angles[k] / span, (z - PRINT_LOW) / (PRINT_HIGH - PRINT_LOW))
    outer = data.attributes.new('outer', 'FLOAT', 'POINT')
    for i in range(len(data.vertices)):
        outer.data[i].value = 1.0 if FIRST_OUTER <= i % count <= LAST_OUTER else 0.0
    data.materials.append(glaze('printed glaze', shot, white, area, frame_name))
    return thing


def handle(shot, white, area):
    """An oval section swept along a curve in the xz plane, thicker where it meets the body."""
    r = RADIUS
    path = shapes.smooth_curve([(r - .003, .0785), (r + .010, .0800), (r + .0235, .0745), (r + .0305, .058), (r + .0285, .041), (r + .0185, .0265),
                                (r + .007, .0200), (r - .003, .0185)], 64)
    vertices, faces, sides = [], [], 28
    for i, (x, z) in enumerate(path):
        tx, tz = path[min(i + 1, len(path) - 1)] - path[max(i - 1, 0)]
        length = math.hypot(tx, tz)
        nx, nz = -tz / length, tx / length
        end = abs(i / (len(path) - 1) - .5) * 2
        flare = 1 + .55 * max(0, (end - .78) / .22) ** 2
        for k in range(sides):
            sine, cosine = math.sin(2 * math.pi * k / sides), math.cos(2 * math.pi * k / sides)
            thick = .0040 * flare * math.copysign(abs(sine) ** .85, sine)
            wide = .0066 * flare * math.copysign(abs(cosine) ** .85, cosine)
            vertices.append((x + nx * thick, wide, z + nz * thick))
    for i in range(len(path) - 1):
        for k in range(sides):
            following = (k + 1) % sides
            faces.append((i * sides + k, (i + 1) * sides + k, (i + 1) * sides + following, i * sides + following))
    return shapes.mesh('handle', vertices, faces, glaze('glaze', shot, white, area), smooth=True)


def mug(shot, frame_name, location=(0, 0, 0), turn_degrees=8.0, white=(.82, .813, .80, 1), print_center_degrees=-90.0, print_degrees=150.0, area=None):
    """A mug whose handle points to +x before it is turned; registers its frame with the shot.

    A front print (150 degrees) is seen as a whole; a wrap (236) goes around the body and leaves the handle free when its center
    is opposite, at 180 degrees.
    """
    root = shapes.empty('mug', location, (0, 0, math.radians(turn_degrees)))
    span = math.radians(print_degrees)
    for part in (body(shot, frame_name, white, area, math.radians(print_center_degrees), span), handle(shot, white, area)):
        part.parent = root
    shot.add_frame(frame_name, span * RADIUS / (PRINT_HIGH - PRINT_LOW), area=area)
    return root
