"""The surface that carries the artwork: what makes a scene a template.

Every such surface writes an AOV named after its frame, (u, v, 1) x mask, and nothing else does: averaged over a pixel that is the
coverage, and at pixel centres the artwork coordinate. The stock UV pass mixes in what stands beside the frame.
"""

import bpy

from . import materials
from .nodes import MaterialBuilder, linear

PAPER_WHITE = .85
INK = .4  # how much of the light an artwork sends back that is neither dark nor bright


def declare_aov(name):
    layer = bpy.context.view_layer
    if name not in [aov.name for aov in layer.aovs]:
        aov = layer.aovs.add()
        aov.name, aov.type = name, 'COLOR'


def write_aov(builder, name, uv=None, mask=None):
    """Makes a material write its frame's AOV. `uv` and `mask` are sockets; defaults: the UV map, everywhere."""
    uv = uv if uv is not None else builder.node('TexCoord').outputs['UV']
    parts = builder.node('SeparateXYZ', {0: uv})
    u, v, coverage = parts.outputs[0], parts.outputs[1], 1.0
    if mask is not None:
        u, v, coverage = builder.multiply(u, mask), builder.multiply(v, mask), mask
    builder.node('OutputAOV', {'Color': builder.node('CombineXYZ', {0: u, 1: v, 2: coverage}).outputs[0]}, name=name)
    declare_aov(name)


def write_color_aov(builder, area):
    """Makes a material a part of a color area: its AOV is the area's coverage."""
    name = 'Color ' + area
    builder.node('OutputAOV', {'Color': (1, 1, 1, 1)}, name=name)
    declare_aov(name)


def color_area(builder, shot, name, color):
    """Makes a material a part of a color area. Returns `color`, a share of the area's default, as the shot wants it dyed."""
    write_color_aov(builder, name)
    if name not in shot.dyes:
        return color
    return builder.mix(1.0, color, dyed(shot, name, (1, 1, 1, 1)), 'MULTIPLY')


def dyed(shot, name, color):
    """A plain color (linear RGBA) of an area as the shot wants it dyed."""
    if name not in shot.dyes:
        return color
    channels = zip(color[:3], linear(shot.dyes[name]), linear(shot.default_color(name)))
    return (*(c * new / old for c, new, old in channels), 1)


def artwork_color(builder, path, uv=None):
    """The artwork as a color socket."""
    texture = builder.node('TexImage', interpolation='Cubic', extension='EXTEND')
    texture.image = bpy.data.images.load(path, check_existing=True)
    builder.connect(texture.inputs[0], uv if uv is not None else builder.node('TexCoord').outputs['UV'])
    return texture.outputs[0]


def printed(builder, white, artwork, uv=None, mask=None):
    """Color of a surface: `white` (tuple or socket), times the artwork where there is one.

    In a template's own render there is none: the camera sees white, and everything else a middle tone. So what stands around gets the
    light of a typical artwork instead of a white sheet's, and sends back as much.
    """
    if artwork:
        ink = artwork_color(builder, artwork, uv)
    else:
        ink = builder.mix(builder.node('LightPath').outputs['Is Camera Ray'], (INK, INK, INK, 1), (1, 1, 1, 1))
    inked = builder.mix(1.0, white, ink, 'MULTIPLY')
    return inked if mask is None else builder.mix(mask, white, inked)


def paper(frame_name, artwork=None, white=PAPER_WHITE, roughness=.55, specular=.25):
    """Fine art paper, matt."""
    builder = MaterialBuilder('paper ' + frame_name)
    builder.principled(Base_Color=printed(builder, (white, white, white, 1), artwork), Roughness=roughness, Specular=specular)
    write_aov(builder, frame_name)
    return builder.material


def canvas(frame_name, artwork=None, white=.82, threads=900.0, relief=.30):
    """Stretched artist's canvas: a weave whose relief shows in raking light."""
    weave = materials.Weave('canvas ' + frame_name, (white, white, white, 1), threads, relief, roughness=.85, sheen=0.0, variation=.02)
    weave.builder.connect(weave.shader.inputs['Base Color'], printed(weave.builder, weave.color, artwork))
    weave.builder.connect(weave.shader.inputs['Specular'], .2)
    write_aov(weave.builder, frame_name)
    return weave.material


def screen(frame_name, artwork=None, size=(1.0, 1.0), corner_radius=0.0, light=(.84, .845, .86, 1), roughness=.07):
    """A screen behind glass: it shines with the artwork's colors and mirrors the room. `size` and `corner_radius` in one unit.

    Only the camera sees its light: what a white screen would throw on the table, another artwork does not.
    """
    builder = MaterialBuilder('screen ' + frame_name)
    uv = builder.node('TexCoord').outputs['UV']
    parts = builder.node('SeparateXYZ', {0: uv})
    beyond = [builder.math('MAXIMUM', builder.subtract(builder.multiply(builder.math('ABSOLUTE', builder.subtract(parts.outputs[i], .5)), size[i]),
                                                       size[i] / 2 - corner_radius), 0.0) for i in (0, 1)]
    from_center = builder.math('SQRT', builder.add(builder.multiply(beyond[0], beyond[0]), builder.multiply(beyond[1], beyond[1])))
    mask = builder.math('LESS_THAN', from_center, max(corner_radius, 1e-6))
    shining = builder.multiply(mask, builder.node('LightPath').outputs['Is Camera Ray'])
    shader = builder.principled(Base_Color=(.004, .004, .005, 1), Roughness=roughness, Specular=.5)
    shader.inputs['Emission Strength'].default_value = 1.0
    builder.connect(shader.inputs['Emission'], builder.mix(shining, (0, 0, 0, 1), printed(builder, light, artwork)))
    write_aov(builder, frame_name, uv, mask)
    return builder.material
