"""Picture frames that hang on the wall y = 0: four mitred sticks, a bevelled mat, the print set back behind glass."""

import math

from . import shapes

PRINT_DEPTH = .008  # metres from the wall
MAT_THICKNESS = .0016


def picture_frame(name, center, width, height, stick_width, stick_depth, sticks, print_material, mat_width=0.0, mat_material=None,
                  glass=None, lean_degrees=.5, turn=0.0):
    """Hangs a framed print; `width` and `height` are of the visible artwork. Returns the print's plane (for its corners).

    `sticks` is a pair of materials: grain along x for the horizontal sticks, along z for the upright ones.
    """
    parts = []
    opening_w, opening_h = width + 2 * mat_width, height + 2 * mat_width
    depth, across = stick_depth, stick_width
    profile = [(-.003, .006), (-.003, depth * .80), (0, depth * .93), (.004, depth), (across - .003, depth), (across, depth - .003), (across, 0)]
    corners = [(-opening_w / 2, -opening_h / 2), (opening_w / 2, -opening_h / 2), (opening_w / 2, opening_h / 2), (-opening_w / 2, opening_h / 2)]
    outward = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    for side in range(4):
        vertices = []
        for end in (side, (side + 1) % 4):
            (cx, cz), (sx, sz) = corners[end], outward[end]
            vertices += [(cx + sx * u, -d, cz + sz * u) for u, d in profile]
        count = len(profile)
        stick = shapes.mesh('%s stick %d' % (name, side), vertices, [(i, i + 1, count + i + 1, count + i) for i in range(count - 1)], sticks[side % 2])
        stick.data.use_auto_smooth = True
        bevel = stick.modifiers.new('edges', 'BEVEL')
        bevel.width, bevel.segments, bevel.limit_method = .0006, 2, 'ANGLE'
        parts.append(stick)
    upright = (math.pi / 2, 0, 0)
    print_plane = shapes.plane(name + ' print', (0, -PRINT_DEPTH, 0), width, height, print_material, upright)
    parts.append(print_plane)
    if mat_width:
        parts.append(mat_board(name, width, height, opening_w, opening_h, mat_material))
    if glass:
        parts.append(shapes.plane(name + ' glass', (0, -.0125, 0), opening_w + .004, opening_h + .004, glass, upright))
    hook = shapes.empty(name, center, (math.radians(-lean_degrees), turn, 0))
    for part in parts:
        part.parent = hook
    return print_plane


def mat_board(name, width, height, outer_w, outer_h, material):
    """The mat with its bevelled cut around the print."""
    signs = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    front = -PRINT_DEPTH - MAT_THICKNESS
    outer = [(sx * outer_w / 2, front, sz * outer_h / 2) for sx, sz in signs]
    top = [(sx * (width / 2 + MAT_THICKNESS), front, sz * (height / 2 + MAT_THICKNESS)) for sx, sz in signs]
    cut = [(sx * width / 2, -PRINT_DEPTH - .0001, sz * height / 2) for sx, sz in signs]
    faces = []
    for k in range(4):
        j = (k + 1) % 4
        faces += [(k, j, 4 + j, 4 + k), (4 + k, 4 + j, 8 + j, 8 + k)]
    return shapes.mesh(name + ' mat', outer + top + cut, faces, material)
