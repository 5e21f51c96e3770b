"""A T-shirt, flat on a table: its cut, the folds in it, and jersey."""

import math

import numpy as np

from . import flat_cloth, shapes, surface
from .flat_cloth import across, both_sides, curve, from_middle, symmetric
from .nodes import MaterialBuilder, linear, scaled

UV_SIZE = .9                                # metres that the UV square stands for, the chest at its middle
PRINT_LEFT, PRINT_RIGHT = -.145, .145       # metres from the shirt's middle line
PRINT_BOTTOM, PRINT_TOP = -.2125, .150
PRINT_ASPECT = (PRINT_RIGHT - PRINT_LEFT) / (PRINT_TOP - PRINT_BOTTOM)
HEM_STITCHES, SLEEVE_STITCHES = (.0205, .0262), (.0205, .0262)  # two needles: metres from the edge
RIB_PITCH, STITCH_LENGTH = .0027, .0034
COLLAR = .0205                              # width of the ribbed collar

# the right half of the cut, in metres: the middle line is x = 0, the collar is at the top
SHOULDER = curve([(.090, .340), (.155, .324), (.222, .301)])
SLEEVE_TOP = curve([(.222, .301), (.272, .272), (.335, .222), (.398, .168)])
SLEEVE_END = curve([(.398, .168), (.353, .101), (.309, .034)])
SLEEVE_UNDER = curve([(.309, .034), (.287, .060), (.264, .086)])
SIDE = curve([(.264, .086), (.261, -.04), (.2615, -.20), (.264, -.366)])
HEM = from_middle([(0, -.371), (.13, -.3695), (.264, -.366)])[::-1]
NECK_FRONT = from_middle([(0, .244), (.034, .251), (.063, .272), (.082, .305), (.090, .340)])
NECK_BACK = from_middle([(0, .322), (.045, .325), (.090, .340)])
ARMHOLE = curve([(.222, .301), (.233, .245), (.240, .18), (.264, .086)])
FOLDED_EDGES = both_sides(SHOULDER, SLEEVE_TOP, SLEEVE_UNDER, SIDE)


def outline(neck):
    return symmetric(neck, SHOULDER, SLEEVE_TOP, SLEEVE_END, SLEEVE_UNDER, SIDE, HEM)


def folded_sheet(rim, random):
    """The shirt's front with its folds: pulled from the armpits, laid across the sleeves, standing on the hem."""
    sheet = flat_cloth.Sheet(rim)
    sheet.swell(FOLDED_EDGES, .0062, .016)
    sheet.undulate(random.numpy, .26, .0011)
    sheet.undulate(random.numpy, .10, .00045)
    scatter = flat_cloth.scattered_folds
    scatter(sheet, random, 4, (.225, .06, .262, .14), (232, 24), (.10, .22), (.008, .015), (.0022, .0046), (1, -1))
    scatter(sheet, random, 3, (.245, -.28, .262, .02), (205, 28), (.09, .20), (.008, .016), (.0018, .0038), (1, -1))
    scatter(sheet, random, 3, (.235, .14, .275, .27), (-42, 16), (.08, .15), (.007, .012), (.0018, .0034), (1, -1))
    scatter(sheet, random, 2, (.12, .26, .20, .30), (252, 16), (.10, .18), (.011, .018), (.0012, .0022), (1, -1))
    scatter(sheet, random, 5, (.02, -.360, .23, -.345), (92, 18), (.07, .16), (.010, .017), (.0012, .0028), (1, -1))
    scatter(sheet, random, 2, (.0, -.10, .12, .10), (250, 40), (.14, .26), (.014, .022), (.0008, .0016), (1, -1))
    sheet.groove(both_sides(ARMHOLE), .0011, .0028)
    sheet.soften(.0022)
    sheet.height = np.maximum(sheet.height, .0004)
    return sheet


def jersey(shot, frame_name, color, area, dye=None):
    """Cotton jersey with ribbed collar, hems and double seams, and the print on the chest.

    The knit is drawn with stretched noise, not with rows of stitches: those are 2-3 px wide in a scene of this size and make moire.
    Print coordinates come from the UV layer, which subdivision smooths; plain attributes would give the print wobbly edges.
    `area` names the color area that the shirt is.

    A dark shirt is printed on white underbase ink: `color` is the ink and `dye` what the cloth is, as a share of it ('#rrggbb'). The
    frame's surface color is the dye, so that clear artwork shows cloth that cannot be told from the cloth around it. That takes a
    surface whose light is all multiplied by its color: no sheen.
    """
    builder = MaterialBuilder('jersey')
    neck, hem, sleeve, armhole, along = (builder.attribute(name) for name in ('neck', 'hem', 'sleeve', 'armhole', 'along'))
    uv = builder.node('SeparateXYZ', {0: builder.node('TexCoord').outputs['UV']})
    x, y = (builder.multiply(builder.subtract(uv.outputs[i], .5), UV_SIZE) for i in (0, 1))
    flat = builder.node('CombineXYZ', {0: x, 1: y, 2: 0.0}).outputs[0]

    wales = builder.noise(builder.mapped(flat, (820, 150, 1)), 1, 2, .6)
    courses = builder.noise(builder.mapped(flat, (260, 900, 1)), 1, 2, .6)
    knit = builder.add(builder.multiply(wales, .72), builder.multiply(courses, .28))
    rib = builder.math('SINE', builder.multiply(along, 2 * math.pi / RIB_PITCH))
    collar = builder.math('LESS_THAN', neck, COLLAR)
    dashes = builder.math('GREATER_THAN', builder.math('SINE', builder.multiply(along, 2 * math.pi / STITCH_LENGTH)), -.62)
    stitches = None
    for distance, place in (*((hem, place) for place in HEM_STITCHES), *((sleeve, place) for place in SLEEVE_STITCHES), (neck, COLLAR + .0035)):
        line = builder.near(distance, place, .00062)
        stitches = line if stitches is None else builder.math('MAXIMUM', stitches, line)
    stitches = builder.multiply(stitches, dashes)
    hems = builder.math('MAXIMUM', builder.math('LESS_THAN', hem, .0275), builder.math('LESS_THAN', sleeve, .0275))
    # the cloth rises on both sides of a row of stitches, and gathers between them in short slanted ripples
    tunnel = None
    for distance, rows in ((hem, HEM_STITCHES), (sleeve, SLEEVE_STITCHES)):
        between = builder.near(distance, sum(rows) / 2, .0075)
        tunnel = between if tunnel is None else builder.math('MAXIMUM', tunnel, between)
    slanted = builder.node('CombineXYZ', {0: builder.add(along, builder.multiply(builder.math('MINIMUM', hem, sleeve), .8)), 1: builder.multiply(along, .1), 2: 0.0}).outputs[0]
    gather = builder.multiply(builder.math('MAXIMUM', hems, tunnel), builder.noise(slanted, 260, 2, .5))
    seam = builder.near(armhole, 0.0, .0006)
    # the seam's allowance lies under the sleeve and shows as a soft ridge
    ridge = builder.node('Math', {0: builder.subtract(.0105, armhole), 1: 300.0}, operation='MULTIPLY', use_clamp=True).outputs[0]
    ridge = builder.multiply(ridge, builder.math('GREATER_THAN', armhole, 0.0))
    step = builder.add(builder.multiply(collar, .9), builder.add(builder.multiply(hems, .55), builder.multiply(ridge, .30)))
    step = builder.subtract(step, builder.add(builder.multiply(stitches, .8), builder.multiply(seam, .5)))
    rumple = builder.noise(flat, 46, 5, .58)
    normal = builder.bump(rumple, .20, .0011)
    normal = builder.bump(gather, .30, .0011, normal)
    normal = builder.bump(step, .60, .0009, normal)
    normal = builder.bump(builder.mix(collar, knit, builder.multiply(rib, .8)), .42, .0004, normal)

    tint = builder.mix(builder.multiply(knit, .26), color, scaled(color, .74))
    tint = builder.mix(builder.multiply(stitches, .30), tint, scaled(color, .55))
    tint = builder.mix(builder.multiply(seam, .34), tint, scaled(color, .5))
    if dye:
        surface.write_color_aov(builder, area)
        dye = shot.dyes.get(area, dye)
    else:
        tint = surface.color_area(builder, shot, area, tint)
    u = builder.math('DIVIDE', builder.subtract(x, PRINT_LEFT), PRINT_RIGHT - PRINT_LEFT)
    v = builder.math('DIVIDE', builder.subtract(y, PRINT_BOTTOM), PRINT_TOP - PRINT_BOTTOM)
    mask = builder.multiply(builder.multiply(builder.within(u), builder.within(v)), builder.math('GREATER_THAN', builder.attribute('front'), .5))
    place = builder.node('CombineXYZ', {0: u, 1: v, 2: 0.0}).outputs[0]
    tint = surface.printed(builder, tint, shot.artwork(frame_name), place, mask)
    if dye:
        tint = builder.mix(mask, builder.mix(1.0, tint, linear(dye), 'MULTIPLY'), tint)
    cloth = builder.node('BsdfPrincipled', {'Base Color': tint, 'Roughness': .72 if dye else .9, 'Specular': .22 if dye else .12,
                                            'Sheen': 0 if dye else .25, 'Normal': normal})
    through = builder.node('BsdfTranslucent', {'Color': tint, 'Normal': normal})
    builder.surface(builder.node('MixShader', {0: .12, 1: cloth.outputs[0], 2: through.outputs[0]}).outputs[0])
    surface.write_aov(builder, frame_name, place, mask)
    return builder.material


def tee(shot, frame_name, color, label_material, area, seed=5, dye=None):
    """The shirt lies on z = 0 with its collar towards +y; registers its frame with the shot. For `area` and `dye` see jersey()."""
    rim, back_rim = outline(NECK_FRONT), outline(NECK_BACK)
    sheet = folded_sheet(rim, flat_cloth.Chance(seed))
    material = jersey(shot, frame_name, color, area, dye)

    def panel(name, edge, lift, front, step):
        line = NECK_FRONT if front else NECK_BACK
        points, triangles = flat_cloth.triangulated(edge, step=step)
        hem, along_hem = flat_cloth.nearest_line(points, [across(HEM)])
        sleeve, along_sleeve = flat_cloth.nearest_line(points, both_sides(SLEEVE_END))
        neck, along_neck = flat_cloth.nearest_line(points, [across(line[::-1])])
        seam = flat_cloth.beside_seam(points, ARMHOLE)
        along = np.choose(np.argmin([hem, sleeve, neck], 0), [along_hem, along_sleeve, along_neck])
        uv = (sheet.print_places(points) if front else points) / UV_SIZE + .5
        return flat_cloth.cloth(name, points, triangles, lift(points), material, uv,
                                {'neck': neck, 'hem': hem, 'sleeve': sleeve, 'armhole': seam, 'along': along, 'front': np.full(len(points), float(front))})

    thing = panel('tee', rim, lambda points: .0021 + flat_cloth.rolled(points, sheet.at(sheet.height, points), FOLDED_EDGES, .005), True, flat_cloth.STEP)
    lower = panel('tee back', back_rim, lambda points: np.full(len(points), .0011), False, .006)
    # the lower layer looks out at the hem by a thread's breadth, as no two hems lie quite alike
    lower.scale, lower.location = (.999, 1.004, 1), (.0002, -.0006, 0)
    label = shapes.box('label', (0, .3015, .0022), (.046, .026, .0007), label_material, .0002, rotation=(0, 0, math.radians(.8)))
    for part in (lower, label):
        part.parent = thing
    shot.add_frame(frame_name, PRINT_ASPECT, surface_color=dye, area=area)
    return thing
