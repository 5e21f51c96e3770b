"""A hoodie, flat on its back: body and sleeves in one cut, a hood of two halves, a pocket, ribbing and a cord; drawn as in flat_cloth."""

import math

import numpy as np
from scipy.ndimage import gaussian_filter, gaussian_filter1d
from scipy.spatial import cKDTree

from . import flat_cloth, materials, shapes, surface
from .flat_cloth import across, both_sides, curve, from_middle, mirrored, symmetric
from .nodes import MaterialBuilder, linear, scaled

AREA = 'hoodie'
UV_SIZE = 1.2                               # metres that the UV square stands for
PRINT_WIDTH, PRINT_HEIGHT, PRINT_CENTER = .26, .225, (0, .060)
RIB = .060                                  # width of cuffs and hem
RIB_PITCH, STITCH_LENGTH = .0036, .0036
SEAM_ROWS, CHANNEL_ROWS = (.0035, .0095), (.0235, .0265)    # two needles: metres from a seam, and from the hood's rim around the cord
EDGE = .010                                 # radius of a folded edge
LIFT, HOOD_LIFT, OVERLAP = .003, .0035, .0045

# the right half of the cut, in metres: the middle line is x = 0, the hood is at the top
NECK = from_middle([(0, .262), (.040, .272), (.075, .298), (.098, .330)])
SHOULDER = curve([(.098, .330), (.170, .312), (.238, .286)])
SLEEVE_OUT = curve([(.238, .286), (.292, .236), (.338, .130), (.378, -.010), (.409, -.140), (.425, -.214)])
CUFF_OUT = curve([(.425, -.214), (.4235, -.224), (.4225, -.244), (.4235, -.276)])
CUFF_END = curve([(.4235, -.276), (.386, -.283), (.347, -.290)])
CUFF_IN = curve([(.347, -.290), (.342, -.262), (.336, -.240), (.331, -.232)])
SLEEVE_IN = curve([(.331, -.232), (.310, -.130), (.291, -.010), (.274, .080)])
SIDE = curve([(.274, .080), (.272, -.03), (.2735, -.16), (.276, -.285)])
HEM_SIDE = curve([(.276, -.285), (.2725, -.293), (.267, -.312), (.264, -.350)])
HEM = from_middle([(0, -.355), (.13, -.3535), (.264, -.350)])[::-1]
OUTLINE = symmetric(NECK, SHOULDER, SLEEVE_OUT, CUFF_OUT, CUFF_END, CUFF_IN, SLEEVE_IN, SIDE, HEM_SIDE, HEM)
FOLDED_EDGES = both_sides(SHOULDER, SLEEVE_OUT, CUFF_OUT, CUFF_IN, SLEEVE_IN, SIDE, HEM_SIDE)

# seams across the cloth: on their left is the part that the needle rows are on
ARMHOLE = curve([(.274, .080), (.250, .160), (.246, .225), (.238, .286)])
HEM_SEAM = from_middle([(0, -.2945), (.14, -.2935), (.2735, -.290)])
CUFF_SEAM = curve([(.3325, -.236), (.378, -.2275), (.4245, -.218)])

POCKET = [(0, -.100), (.098, -.100), (.150, -.190), (.178, -.238), (.1785, -.290), (0, -.292)]

# the right half of the hood; its front edge runs past the middle at the neck and lies over the other half's
HOOD_FOLD = curve([(0, .586), (.056, .585), (.106, .569), (.137, .529), (.1435, .468), (.137, .405), (.121, .356), (.099, .328)])
HOOD_NECK = np.vstack([NECK[::-1][:-1], mirrored(NECK)[::-1][:8]])
HOOD_RIM = curve([tuple(HOOD_NECK[-1]), (.002, .294), (.034, .332), (.063, .380), (.082, .436), (.086, .486), (.073, .524), (.041, .543), (0, .548)])
HOOD_SEAM = curve([(0, .548), (0, .567), (0, .586)])
BACK_NECK = from_middle([(0, .348), (.05, .351), (.10, .360)])
INSIDE = symmetric(curve([(0, .576), (.056, .575), (.100, .558), (.127, .522), (.132, .466), (.124, .405), (.098, .345)]),
                   curve([(.098, .345), (.060, .298), (0, .268)]))


def fleece(shot, name, color, rows=SEAM_ROWS, shade=1.0, frame_name=None):
    """Brushed sweatshirt cloth: jersey outside, soft and a little pilled; with a frame name it carries the print. UV: see UV_SIZE."""
    builder = MaterialBuilder(name)
    rib_edge, seam, along = (builder.attribute(attribute) for attribute in ('rib', 'seam', 'along'))
    uv = builder.node('SeparateXYZ', {0: builder.node('TexCoord').outputs['UV']})
    x, y = (builder.multiply(builder.subtract(uv.outputs[i], .5), UV_SIZE) for i in (0, 1))
    flat = builder.node('CombineXYZ', {0: x, 1: y, 2: 0.0}).outputs[0]
    wales = builder.noise(builder.mapped(flat, (640, 130, 1)), 1, 2, .6)
    fuzz = builder.noise(flat, 420, 2, .6)
    knit = builder.add(builder.multiply(wales, .65), builder.multiply(fuzz, .35))
    ribbed = builder.math('LESS_THAN', rib_edge, RIB)
    rib = builder.math('SINE', builder.multiply(along, 2 * math.pi / RIB_PITCH))
    dashes = builder.math('GREATER_THAN', builder.math('SINE', builder.multiply(along, 2 * math.pi / STITCH_LENGTH)), -.6)
    needles = builder.math('MAXIMUM', *(builder.near(seam, row, .0007) for row in rows))
    stitches = builder.multiply(needles, dashes)
    joint = builder.near(seam, 0.0, .0009)
    step = builder.subtract(0.0, builder.add(builder.multiply(stitches, .8), joint))
    rumple = builder.noise(flat, 34, 5, .58)
    normal = builder.bump(rumple, .22, .0018)
    normal = builder.bump(step, .60, .0011, normal)
    normal = builder.bump(builder.mix(ribbed, knit, builder.multiply(rib, .9)), .45, .0005, normal)
    tint = builder.mix(builder.multiply(knit, .30), scaled(color, shade), scaled(color, .70 * shade))
    valley = builder.multiply(ribbed, builder.subtract(.5, builder.multiply(rib, .5)))
    tint = builder.mix(builder.multiply(valley, .22), tint, scaled(color, .55))
    tint = builder.mix(builder.multiply(builder.math('MAXIMUM', stitches, joint), .26), tint, scaled(color, .5))
    tint = surface.color_area(builder, shot, AREA, tint)
    if frame_name:
        u = builder.add(builder.math('DIVIDE', builder.subtract(x, PRINT_CENTER[0]), PRINT_WIDTH), .5)
        v = builder.add(builder.math('DIVIDE', builder.subtract(y, PRINT_CENTER[1]), PRINT_HEIGHT), .5)
        mask = builder.multiply(builder.within(u), builder.within(v))
        place = builder.node('CombineXYZ', {0: u, 1: v, 2: 0.0}).outputs[0]
        tint = surface.printed(builder, tint, shot.artwork(frame_name), place, mask)
        surface.write_aov(builder, frame_name, place, mask)
    builder.principled(Base_Color=tint, Roughness=.92, Specular=.10, Sheen=.3, Normal=normal)
    return builder.material


def body_sheet(random):
    """The front of body and sleeves, thick and soft: few broad folds, cloth that swells over the ribbing."""
    sheet = flat_cloth.Sheet(OUTLINE)
    sheet.swell(FOLDED_EDGES, .0135, .030)
    sheet.undulate(random.numpy, .30, .0018)
    sheet.undulate(random.numpy, .12, .0009)
    scatter = flat_cloth.scattered_folds
    scatter(sheet, random, 4, (.235, .06, .270, .13), (228, 22), (.10, .20), (.012, .021), (.0040, .0075), (1, -1))
    scatter(sheet, random, 3, (.250, -.22, .272, .0), (205, 25), (.10, .20), (.013, .022), (.0030, .0058), (1, -1))
    scatter(sheet, random, 4, (.265, .14, .300, .24), (-62, 16), (.10, .18), (.010, .017), (.0035, .0060), (1, -1))
    for low, high in ((.02, .07), (-.07, -.02), (-.15, -.10)):  # creases of the elbow, from the inside of the sleeve
        scatter(sheet, random, 2, (.285 - .18 * low, low, .300 - .18 * low, high), (8, 26), (.05, .09), (.008, .013), (.0035, .0062), (1, -1))
    scatter(sheet, random, 3, (.345, -.215, .410, -.205), (100, 14), (.04, .08), (.008, .012), (.0030, .0050), (1, -1))
    scatter(sheet, random, 6, (.02, -.286, .26, -.276), (92, 16), (.05, .12), (.010, .017), (.0026, .0050), (1, -1))
    scatter(sheet, random, 2, (.14, .22, .20, .28), (250, 14), (.10, .17), (.014, .022), (.0018, .0032), (1, -1))
    # the ribbing is tighter and thinner than the cloth above it
    for end in ([across(HEM)], both_sides(CUFF_END)):
        near = np.clip(1 - (sheet.distance(end) - RIB + .006) / .012, 0, 1)
        sheet.height *= 1 - .52 * near * near * (3 - 2 * near)
    for seam in (ARMHOLE, HEM_SEAM, CUFF_SEAM):
        sheet.groove(both_sides(seam), .0016, .0034)
    sheet.soften(.0030)
    sheet.height = np.maximum(sheet.height, .0006)
    return sheet


def hood_sheet(random, body):
    """One half of the hood, laid flat: a doubled edge around the opening, slack folds up from the neck, on the body below the neck seam."""
    outline = hood_outline()
    sheet = flat_cloth.Sheet(outline)
    sheet.undulate(random.numpy, .16, .0016)
    sheet.undulate(random.numpy, .07, .0007)
    sheet.height *= np.clip((sheet.points[:, 1].reshape(sheet.shape) - .28) / .08, 0, 1)  # the halves lie tight where they cross
    sheet.swell([HOOD_FOLD], .0068, .013)
    scatter = flat_cloth.scattered_folds
    scatter(sheet, random, 3, (.062, .310, .108, .340), (74, 12), (.09, .17), (.008, .013), (.0036, .0062))
    scatter(sheet, random, 2, (.112, .41, .134, .50), (236, 22), (.08, .13), (.009, .014), (.0032, .0054))
    scatter(sheet, random, 2, (.080, .555, .116, .575), (208, 14), (.08, .13), (.008, .013), (.0028, .0048))
    # two layers of cloth and the cord between them
    channel = sheet.distance([HOOD_RIM])
    sheet.height += .0016 * np.clip((CHANNEL_ROWS[0] - channel) / .004, 0, 1)
    sheet.height += .0016 * np.exp(-((channel - .012) / .005) ** 2)
    sheet.groove([HOOD_SEAM], .0030, .0035)
    below = np.where(flat_cloth.inside(OUTLINE, sheet.points), body.at(body.height, sheet.points), .002).reshape(sheet.shape)
    sheet.height = np.maximum(sheet.height, .0010) + gaussian_filter(below, .010 / flat_cloth.CELL)
    sheet.soften(.0026)
    return sheet


def hood_outline():
    return np.vstack([line[:-1] for line in (HOOD_FOLD, HOOD_NECK, HOOD_RIM, HOOD_SEAM)])


def part(name, points, triangles, heights, material, places, seam, ribs=(), thickness=.0022):
    """One mesh with what fleece() reads; `seam` is (metres from, metres along) the seam that counts, `ribs` are rib edges, `places` the UV in metres."""
    distance, along = seam
    rib, along_rib = flat_cloth.nearest_line(points, ribs) if ribs else (np.full(len(points), 9.0), along)
    along = np.where(rib < RIB, along_rib, along)
    return flat_cloth.cloth(name, points, triangles, heights, material, places / UV_SIZE + .5, {'seam': distance, 'rib': rib, 'along': along}, thickness)


def body_seam(points):
    """(metres beside, metres along) the nearest of the seams across the cloth."""
    beside = np.array([flat_cloth.beside_seam(points, seam) for seam in (ARMHOLE, HEM_SEAM, CUFF_SEAM)])
    nearest = beside[np.argmin(np.abs(beside), 0), np.arange(len(points))]
    return nearest, flat_cloth.nearest_line(points, both_sides(ARMHOLE, HEM_SEAM, CUFF_SEAM))[1]


def laid_body(body, printed, cloth):
    """Front and back of body and sleeves."""
    ends = [across(HEM), *both_sides(CUFF_END)]
    points, triangles = flat_cloth.triangulated(OUTLINE)
    heights = LIFT + flat_cloth.rolled(points, body.at(body.height, points), FOLDED_EDGES, EDGE)
    front = part('hoodie', points, triangles, heights, printed, body.print_places(points), body_seam(points), ends)
    points, triangles = flat_cloth.triangulated(OUTLINE, step=.008)
    lower = part('hoodie back', points, triangles, np.full(len(points), .0016), cloth, points, body_seam(points), ends)
    lower.scale, lower.location = (.999, 1.003, 1), (-.0002, -.0010, 0)
    return front


def pocket(body, cloth):
    """A second layer that stands off a little at its slanted openings."""
    corners = np.array(POCKET + [(-x, y) for x, y in POCKET[-2:0:-1]])
    edge = np.vstack([flat_cloth.evenly(np.array(side), flat_cloth.STEP)[:-1] for side in zip(corners, np.roll(corners, -1, 0))])
    points, triangles = flat_cloth.triangulated(edge)
    openings = both_sides(np.array([POCKET[1], POCKET[2], POCKET[3]]))
    seam = flat_cloth.nearest_line(points, [np.vstack([edge, edge[:1]])])
    heights = LIFT + .0010 + body.at(body.height, points)
    heights += .0020 * np.sqrt(np.minimum(1, seam[0] / .004)) + .0034 * np.exp(-(flat_cloth.distance(points, openings) / .026) ** 2)
    return part('pocket', points, triangles, heights, cloth, points, seam)


def hood_halves(random, body, cloth):
    """Both halves of the hood, the one on the right on top. Returns how high each lies, as functions of places."""
    points, triangles = flat_cloth.triangulated(hood_outline())
    laid = []
    for side in (1, -1):
        sheet = hood_sheet(random, body)
        heights = HOOD_LIFT + flat_cloth.rolled(points, sheet.at(sheet.height, points), [HOOD_FOLD], .007)
        heights -= .0030 * np.exp(-(flat_cloth.distance(points, [HOOD_NECK]) / .005) ** 2)
        if side > 0:  # over the other half where both reach past the middle
            heights += OVERLAP * np.exp(-(np.maximum(0, points[:, 1] - .285) / .030) ** 2 - (np.maximum(0, points[:, 0] - .010) / .030) ** 2)
        places = points * [side, 1]
        part('hood half', places, triangles[:, ::side], heights, cloth, places, flat_cloth.nearest_line(points, [HOOD_RIM]))
        tree = cKDTree(places)
        laid.append(lambda at, tree=tree, heights=heights: heights[tree.query(at)[1]] * (tree.query(at)[0] < flat_cloth.STEP))
    return laid


def hood_inside(random, lining, label_material):
    """What is seen between the halves: the back of the hood, the tape over the back neck's seam, and a woven label under it."""
    dish = flat_cloth.Sheet(INSIDE)
    dish.undulate(random.numpy, .14, .0014)
    flat_cloth.scattered_folds(dish, random, 2, (.02, .38, .06, .44), (80, 20), (.10, .16), (.011, .016), (.0020, .0032), (1, -1))
    dish.groove([np.array([(0, .35), (0, .59)])], .0012, .0030)
    dish.soften(.003)
    dish.height = np.clip(.0045 + dish.height, .0026, .0080)
    points, triangles = flat_cloth.triangulated(INSIDE, step=.005)
    part('hood inside', points, triangles, dish.at(dish.height, points), lining, points, (points[:, 0], points[:, 1]))
    line = across(BACK_NECK[::-1])
    ahead = np.gradient(line, axis=0)
    sideways = np.c_[-ahead[:, 1], ahead[:, 0]] / np.linalg.norm(ahead, axis=1)[:, None]
    points, count = np.vstack([line + offset * sideways for offset in (-.0060, -.0054, 0, .0054, .0060)]), len(line)
    heights = dish.at(dish.height, points) + np.repeat([.0008, .0016, .0018, .0016, .0008], count)
    faces = np.array([[a, a + 1, a + count + 1, a + count] for row in range(4) for a in range(row * count, (row + 1) * count - 1)])
    part('neck tape', points, faces, heights, lining, points, (np.repeat([0, .0006, .006, .0006, 0], count), np.tile(np.arange(count) * flat_cloth.STEP, 5)),
         thickness=.0006)
    place = 0, .3320
    shapes.box('label', (*place, float(dish.at(dish.height, [place])[0]) + .0016), (.030, .022, .0007), label_material, .0002, rotation=(0, 0, math.radians(-.7)))


def cord(points, surfaces, material, tip):
    """A flat-lying cord with a metal end; it rests on whichever surface is higher."""
    line = shapes.smooth_curve(points, 90)
    way = np.c_[line, gaussian_filter1d(np.max([height(line) for height in surfaces], 0), 2) + .0026]
    shapes.tube('cord', [tuple(point) for point in way], .0024, material, sides=10)
    shapes.tube('cord end', [tuple(point) for point in way[-9:]], .0029, tip, sides=12)


def cords(shot, body, halves, color):
    """Two cords out of their eyelets in the hood's edge."""
    string = materials.Weave('cord', color, 60, .8, sheen=.3, variation=.2)
    string.builder.connect(string.shader.inputs['Base Color'], surface.color_area(string.builder, shot, AREA, string.color))
    steel = materials.metal('cord end', linear('#b8b8ba'), .25)

    def chest(places):
        return LIFT + body.at(body.height, places) * flat_cloth.inside(OUTLINE, places)

    for half, places in zip(halves, ([(.031, .304), (.037, .276), (.034, .246), (.040, .216), (.038, .188)],
                                     [(-.033, .307), (-.040, .272), (-.044, .238), (-.039, .207), (-.042, .179)])):
        eyelet = shapes.lathe('eyelet', [(.0026, .0004), (.0030, .0010), (.0042, .0012), (.0050, .0006), (.0051, 0)], steel, 40)
        eyelet.location = (*places[0], float(half(np.array(places[:1]))[0]) + .0004)
        cord(places, [chest, half], string.material, steel)


def hoodie(shot, frame_name, color, label_material, seed=5):
    """The hoodie lies on z = 0 with its hood towards +y; registers its frame with the shot."""
    random = flat_cloth.Chance(seed)
    body = body_sheet(random)
    cloth, printed = fleece(shot, 'fleece', color), fleece(shot, 'printed fleece', color, frame_name=frame_name)
    front = laid_body(body, printed, cloth)
    pocket(body, cloth)
    lining = fleece(shot, 'hood lining', color, shade=.86)
    halves = hood_halves(random, body, fleece(shot, 'hood fleece', color, CHANNEL_ROWS))
    hood_inside(random, lining, label_material)
    cords(shot, body, halves, color)
    shot.add_frame(frame_name, PRINT_WIDTH / PRINT_HEIGHT, area=AREA)
    return front
