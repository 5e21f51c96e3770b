"""A square cushion on a linen sofa in afternoon sun, a rust cushion behind it."""

import math

from mathutils import Vector

from studio import dyes, lights, materials, shapes, surface, upholstery
from studio.nodes import linear

TEMPLATE = {
    'id': 'square-cushion-sofa',
    'name': 'Square cushion on a linen sofa',
    'category': 'Home & Living',
    'type': 'product',
    'surface_type': 'fabric',
    'render_mode': 'uvmap',
    'picture_ratio': 1,
    'seed': 11,
}
WHITE = (.80, .79, .765, 1)
AREA = 'cover'


def printed_cover(shot, frame_name):
    """A white cotton cover, printed on its front."""
    weave = materials.Weave('cover', WHITE, 520, .7, sheen=.35, variation=.20, wrinkles=(9, .18, .01))
    builder = weave.builder
    mask = builder.math('GREATER_THAN', builder.attribute('front'), .5)
    color = surface.color_area(builder, shot, AREA, weave.color)
    builder.connect(weave.shader.inputs['Base Color'], surface.printed(builder, color, shot.artwork(frame_name), weave.uv, mask))
    surface.write_aov(builder, frame_name, weave.uv, mask)
    shot.add_frame(frame_name, 1.0, area=AREA)
    return weave.material


def build(shot):
    random = shot.random
    shot.add_color(AREA, '#ffffff', dyes.COVER)
    cushion = upholstery.pillow('cushion', printed_cover(shot, 'F1'), (-.03, -.055, .658), (math.radians(74), 0, math.radians(7)), 1.0, .88, 1)
    cord = materials.Weave('piping', WHITE, 300, .6, sheen=.3, variation=.2)
    cord.builder.connect(cord.shader.inputs['Base Color'], surface.color_area(cord.builder, shot, AREA, cord.color))
    upholstery.piping(cushion, cord.material)
    rust = materials.Weave('rust cover', linear('#a8643f'), 480, .7, sheen=.5, variation=.22, wrinkles=(9, .18, .01)).material
    upholstery.pillow('second cushion', rust, (-.36, .09, .655), (math.radians(76), math.radians(4), math.radians(-10)), .98, .85, 2)
    linen = materials.Weave('sofa linen', linear('#bdb09c'), 700, .8, sheen=.5, variation=.36, wrinkles=(4, .25, .02)).material
    welt = materials.Weave('welt linen', linear('#b5a793'), 320, .6, sheen=.4, variation=.25).material
    for i, x in enumerate((-.46, .46)):
        upholstery.boxed_cushion('seat', (x, -.05, .33), (.905, .80, .18), .035, linen, welt, bulge=.028, character=1 + i)
        upholstery.boxed_cushion('back', (x, .34, .70), (.90, .20, .58), .05, linen, welt, (math.radians(-10), 0, 0), .05, 3 + i)
    upholstery.padded_block('arm', (1.02, 0, .42), (.20, .95, .50), .06, linen, bulge=.015, character=5)
    upholstery.padded_block('base', (0, 0, .14), (2.2, .85, .22), .03, linen, bulge=0, character=6)
    shapes.plane('wall', (0, .62, 1.2), 6, 4, materials.plaster('wall', linear('#e2d9cb'), .3), rotation=(math.pi / 2, 0, 0))

    afternoon = Vector((.72, .70, -.52)).normalized()
    window = lights.Window((-.16, 0, .66), afternoon, 1.1, 1.25, bars_x=(-.28,), bars_y=(.34,), bar=.035, distance=2.2)
    window.twigs(random, [(-.6, .7, -.7, .55), (.6, .7, -2.3, .5), (-.6, -.1, -.2, .35)], .09)
    lights.sun(afternoon, 2.6, 1.3, (1, .90, .77))
    lights.soft_box((-1.9, -1.3, 1.6), (0, 0, .6), 1.3, 1.6, 38, (1, .98, .95))
    lights.sky((.86, .93, 1.0), .34)
    shot.camera((.30, -1.95, .93), (-.055, .05, .605), 88, focus=(0, -.1, .62), f_stop=4.5)
