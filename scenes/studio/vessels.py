"""Bottles and tumblers: turned bodies with a print or a paper label around a part of them."""

import math

from . import materials, shapes, surface
from .nodes import MaterialBuilder, linear

FRONT = -math.pi / 2      # the direction of the camera
SEGMENTS = 192


def around(name, profile, span, material, segments=96):
    """A strip of a turned body, `span` wide around the front; `profile` of (radius, height) from below. UV: 0..1 over the strip."""
    vertices, uv, faces = [], [], []
    length = [0.0]
    for (r0, z0), (r1, z1) in zip(profile, profile[1:]):
        length.append(length[-1] + math.hypot(r1 - r0, z1 - z0))
    for step in range(segments + 1):
        angle = FRONT + span * (step / segments - .5)
        for (radius, z), along in zip(profile, length):
            vertices.append((radius * math.cos(angle), radius * math.sin(angle), z))
            uv.append((step / segments, along / length[-1]))
    count = len(profile)
    for step in range(segments):
        faces += [(step * count + i, (step + 1) * count + i, (step + 1) * count + i + 1, step * count + i + 1) for i in range(count - 1)]
    return shapes.mesh(name, vertices, faces, material, smooth=True, uv=uv)


def bottle(shot, frame_name, location=(0, 0, 0)):
    """A wine bottle of 0.75 l, of glass so dark that it may be opaque, with a label of uncoated paper; registers its frame with the shot."""
    radius, low, high, span = .0375, .042, .142, math.radians(150)
    glass = MaterialBuilder('bottle glass')
    waves = glass.noise(glass.coordinates(), 22, 2)
    glass.principled(Base_Color=linear('#10160c'), Roughness=.04, Specular=.5, Normal=glass.bump(waves, .03, .003))
    foot = [(0, .004), (.028, .004), (.032, 0), (.0345, .0008), (.0368, .004), (radius, .009)]
    wall = [(radius, .009 + .176 * i / 12) for i in range(1, 13)]
    shoulder = shapes.turned_profile([(radius, .185), (.0365, .198), (.030, .214), (.0200, .228), (.0152, .240), (.0146, .260)], 36)
    neck = [(.0144, .275), (.0144, .284), (.0160, .2848), (.0162, .291), (.0150, .2925), (.0, .2925)]
    root = shapes.empty('bottle', location)
    body = shapes.lathe('bottle', foot + wall + shoulder[1:] + neck, glass.material, SEGMENTS)
    capsule = [(.0148, .236)] + [(.0149, .240), (.0150, .262), (.0147, .276), (.0147, .2838), (.0164, .2846), (.0166, .2914), (.0152, .2932), (0, .2933)]
    sleeve = shapes.lathe('capsule', shapes.turned_profile(capsule, 90), materials.plain('capsule', linear('#3a1216'), .42, .5, Metallic=.35), 96)
    paper = radius + .0003
    profile = [(paper, low + (high - low) * i / 8) for i in range(9)]
    label = around('label', profile, span, label_paper(shot, frame_name))
    for part in (body, sleeve, label):
        part.parent = root
    shot.add_frame(frame_name, span * paper / (high - low))
    return root


def label_paper(shot, frame_name):
    """Felt-marked paper: matt, a little warm, its relief fine."""
    builder = MaterialBuilder('label paper')
    white = (.84, .83, .80, 1)
    felt = builder.noise(builder.coordinates(), 900, 3, .6)
    builder.principled(Base_Color=surface.printed(builder, white, shot.artwork(frame_name)), Roughness=.62, Specular=.22, Normal=builder.bump(felt, .12, .0004))
    surface.write_aov(builder, frame_name)
    return builder.material


TUMBLER_FOOT, TUMBLER_RIM, TUMBLER_HEIGHT = .0335, .0440, .168


def tumbler(shot, frame_name, area, location=(0, 0, 0), print_degrees=140.0):
    """A steel tumbler of 20 oz: a cone, powder-coated, with a print around its front and a dark lid; registers its frame with the shot."""
    low, high, span = .018, .148, math.radians(print_degrees)

    def radius(z):
        return TUMBLER_FOOT + (TUMBLER_RIM - TUMBLER_FOOT) * (z - .006) / (TUMBLER_HEIGHT - .006)

    root = shapes.empty('tumbler', location)
    steel = materials.metal('steel', linear('#b9bbbd'), .24)
    foot = [(0, .001), (.0300, .001), (.0318, 0), (.0326, .0012), (.0328, .0052)]
    wall = [(radius(.006 + .160 * i / 24), .006 + .160 * i / 24) for i in range(25)]
    base = shapes.lathe('steel foot', foot, steel, SEGMENTS)
    body = shapes.lathe('tumbler', [(.0326, .0050)] + wall, None, SEGMENTS)
    body.data.materials.append(powder(shot, area, frame_name, low, high, span))
    lip = [(radius(.1658) - .0002, .1655), (.0441, .1662), (.0443, .1690), (.0436, .1702), (.0428, .1695), (.0425, .160)]
    rim = shapes.lathe('steel rim', lip, steel, SEGMENTS)
    lid = [(.0424, .163), (.0427, .1698), (.0446, .1706), (.0450, .1735), (.0440, .1752), (.030, .1758), (.0, .1758)]
    cover = shapes.lathe('lid', lid, materials.plain('lid', linear('#1d1e20'), .3, .5), 128)
    tab = shapes.box('tab', (0, .012, .1785), (.017, .030, .0055), materials.plain('tab', linear('#26272a'), .35, .5), .0022, 5)
    for part in (base, body, rim, cover, tab):
        part.parent = root
    slant = math.hypot(radius(high) - radius(low), high - low)
    shot.add_frame(frame_name, span * radius((low + high) / 2) / slant, area=area)
    return root


def powder(shot, area, frame_name, low, high, span):
    """White powder coat: an orange skin that breaks reflections. The print's place is computed from the point itself: it is exact."""
    builder = MaterialBuilder('powder coat')
    place = builder.node('TexCoord').outputs['Object']
    parts = builder.node('SeparateXYZ', {0: place})
    x, y, z = (parts.outputs[i] for i in range(3))
    angle = builder.math('ARCTAN2', x, builder.multiply(y, -1.0))  # 0 at the front, growing to the right
    u = builder.add(builder.math('DIVIDE', angle, span), .5)
    v = builder.math('DIVIDE', builder.subtract(z, low), high - low)
    uv = builder.node('CombineXYZ', {0: u, 1: v, 2: 0.0}).outputs[0]
    mask = builder.multiply(builder.within(u), builder.within(v))
    white = surface.color_area(builder, shot, area, (.80, .80, .795, 1))
    color = surface.printed(builder, white, shot.artwork(frame_name), uv, mask)
    surface.write_aov(builder, frame_name, uv, mask)
    skin = builder.noise(place, 750, 2, .5)
    builder.principled(Base_Color=color, Roughness=.30, Specular=.5, Normal=builder.bump(skin, .10, .0006))
    return builder.material
