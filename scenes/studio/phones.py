"""A phone in a printed case: a shell of rings around its back, the camera's rim, two lenses, buttons."""

import math

from . import materials, shapes, surface
from .nodes import MaterialBuilder, linear

AREA = 'case'
WIDTH, HEIGHT, THICK = .0752, .1512, .0118
CORNER, EDGE = .0132, .0036             # radii in plan and of the edge around the back
WHITE = (.84, .836, .825, 1)
PRINT_TURN = math.radians(74)           # how far the print follows that edge
BEYOND = EDGE * PRINT_TURN              # metres of print on it
PRINT_WIDTH, PRINT_HEIGHT = (side - 2 * EDGE + 2 * BEYOND for side in (WIDTH, HEIGHT))
CAMERA = (.0208, .0452)                 # the rim around the lenses


def back_profile():
    """(inset, height, metres along the surface from the flat part) from the screen's rim to the flat back."""
    rings = [(.0010, 0, 1), (.0003, .0003, 1), (0, .0010, 1), (.0001, .0030, 1)]
    for step in range(13):
        turn = math.radians(90 * step / 12)
        rings.append((EDGE * (1 - math.cos(turn)), THICK - EDGE + EDGE * math.sin(turn), EDGE * (math.pi / 2 - turn)))
    return rings + [(EDGE + .0010, THICK, -.0010)]


def soft_plastic(shot, name, frame_name=None):
    """The case's matt plastic; with a frame name its back and the edge around it are printed."""
    builder = MaterialBuilder(name)
    color = surface.color_area(builder, shot, AREA, WHITE)
    if frame_name:
        uv = builder.node('TexCoord').outputs['UV']
        mask = builder.math('LESS_THAN', builder.attribute('beyond'), BEYOND)
        color = surface.printed(builder, color, shot.artwork(frame_name), uv, mask)
        surface.write_aov(builder, frame_name, uv, mask)
    grain = builder.noise(builder.coordinates(), 2600, 3, .6)
    builder.principled(Base_Color=color, Roughness=.36, Specular=.42, Normal=builder.bump(grain, .10, .00012))
    return builder.material


def printed_shell(shot, frame_name):
    profile = back_profile()
    thing = shapes.rounded_slab('shell', WIDTH, HEIGHT, CORNER, [ring[:2] for ring in profile], soft_plastic(shot, 'printed case', frame_name))
    places = []
    for i, vertex in enumerate(thing.data.vertices):
        beyond, inset = profile[i // shapes.SLAB_POINTS][2], profile[i // shapes.SLAB_POINTS][0]
        x, y = vertex.co.x, vertex.co.y
        # as if the edge lay flat: moved outwards from the ring's own inset to its length along the surface
        out = beyond - (EDGE - inset)
        inner_x, inner_y = WIDTH / 2 - CORNER, HEIGHT / 2 - CORNER
        dx, dy = x - math.copysign(inner_x, x), y - math.copysign(inner_y, y)
        length = math.hypot(dx, dy)
        x, y = x + out * dx / length, y + out * dy / length
        places.append((x / PRINT_WIDTH + .5, y / PRINT_HEIGHT + .5, beyond))
    layer = thing.data.uv_layers.new(name='UVMap')
    for loop in thing.data.loops:
        layer.data[loop.index].uv = places[loop.vertex_index][:2]
    thing.data.attributes.new('beyond', 'FLOAT', 'POINT').data.foreach_set('value', [place[2] for place in places])
    return thing


def lens(x, y, z, radius):
    """A lens in its ring of dark metal."""
    ring = shapes.lathe('lens ring', [(radius, 0), (radius, .0016), (radius - .0003, .0019), (radius - .0010, .0019), (radius - .0013, .0014)],
                        materials.metal('lens metal', linear('#4a4a4e'), .3), 64)
    glass = shapes.lathe('lens cover', [(0, .00145), (radius - .0012, .00145)], materials.plain('lens cover', (.004, .004, .006, 1), .04, .6), 64)
    iris = shapes.lathe('iris', [(0, .0016), (radius * .34, .0016), (radius * .38, .00146)], materials.plain('iris', (.012, .016, .045, 1), .05, .8), 48)
    for part in (ring, glass, iris):
        part.location = (x, y, z)
    return [ring, glass, iris]


def camera(plastic):
    """The raised rim of the case and what it leaves open: dark glass, two lenses, a lamp. In the top left corner as one sees the back."""
    width, height = CAMERA
    x, y = -WIDTH / 2 + .0082 + width / 2, HEIGHT / 2 - .0082 - height / 2
    rim = shapes.rounded_slab('camera rim', width, height, width / 2 - .0002,
                              [(0, -.0004), (.0001, .0007), (.0004, .0012), (.0009, .0014), (.0014, .0013), (.0017, .0009), (.0018, .0001)], plastic)
    island = shapes.rounded_slab('camera glass', width - .0040, height - .0040, width / 2 - .0022, [(0, 0), (0, .0006), (.0002, .0008), (.0008, .0008)],
                                 materials.plain('camera glass', linear('#26272b'), .16, .5))
    parts = [rim, island]
    for part in parts:
        part.location = (x, y, THICK)
    for side in (1, -1):
        parts += lens(x, y + side * .0112, THICK + .0006, .0067)
    lamp = shapes.lathe('lamp', [(0, .0009), (.0016, .0009), (.0018, .0007)], materials.plain('lamp', linear('#efe6cf'), .3), 32)
    lamp.location = (x + .0056, y, THICK)
    return [*parts, lamp]


def phone(shot, frame_name, location, tilt_degrees, turn_degrees):
    """A phone in its case, standing on its lower end with its back to -y, its top leant back; registers its frame with the shot."""
    tilt = math.radians(90 - tilt_degrees)
    x, y, z = location
    root = shapes.empty('phone', (x, y, z + HEIGHT / 2 * math.sin(tilt)), (tilt, 0, math.radians(turn_degrees)))
    plastic = soft_plastic(shot, 'case')
    parts = [printed_shell(shot, frame_name), *camera(plastic)]
    for side, place, long in ((-1, .022, .020), (1, .034, .011), (1, .018, .011)):
        parts.append(shapes.box('button', (side * (WIDTH / 2 + .0001), place, .0052), (.0014, long, .0030), plastic, .0006, 4))
    for part in parts:
        part.parent = root
    shot.add_frame(frame_name, PRINT_WIDTH / PRINT_HEIGHT, area=AREA)
    return root
