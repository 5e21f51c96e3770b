"""Materials that several scenes share. Texture lengths are object-space metres, so that a texture keeps its true size."""

import math

from .nodes import MaterialBuilder, linear, scaled


def plain(name, color, roughness=.5, specular=.5, **more):
    """One even color; for small props, where a texture would not be seen."""
    builder = MaterialBuilder(name)
    builder.principled(Base_Color=color, Roughness=roughness, Specular=specular, **more)
    return builder.material


def plaster(name, color, relief=.35, variation=.06):
    """Painted plaster: three scales of relief and a few percent of uneven color."""
    builder = MaterialBuilder(name)
    position = builder.coordinates()
    broad = builder.noise(position, 1.3, 3)
    middle = builder.noise(position, 9, 5, .6)
    fine = builder.noise(position, 170, 4, .6)
    tint = builder.mix(builder.multiply(broad, variation * 2), color, scaled(color, .86))
    tint = builder.mix(builder.multiply(middle, variation), tint, scaled(color, 1.05))
    height = builder.add(builder.multiply(middle, .7), builder.multiply(fine, .12))
    height = builder.add(height, builder.multiply(broad, .6))
    builder.principled(Base_Color=tint, Roughness=.92, Specular=.15, Normal=builder.bump(height, relief, .012))
    return builder.material


OAK = ('#6e4a2b', '#a9794b', '#c59a68', '#d9b586')
WALNUT = ('#2e1c11', '#553420', '#734a2e', '#8c6244')
ASH = ('#a58a68', '#c9b08c', '#dac6a6', '#e8d9bf')
WHITE_OAK = ('#8f7355', '#b89a76', '#cdb391', '#dfcbad')


def wood(name, grain_axis='X', palette=OAK, brightness=1.0, roughness=.42, scale=1.0, rings=.24):
    """Planed wood; the grain runs along the local axis `grain_axis`.

    Fibres are noise stretched 1:55 along the grain, pores 1:37 and sparser; the annual rings stay weak (`rings`),
    because strong ones look like zebra stripes.
    """
    builder = MaterialBuilder(name)
    axis = 'XYZ'.index(grain_axis)

    def along_grain(across, along):
        factors = [across * scale] * 3
        factors[axis] = along * scale
        return tuple(factors)

    # every piece of wood gets its own part of the tree
    shift = builder.multiply(builder.node('ObjectInfo').outputs['Random'], 40.0)
    offset = builder.node('CombineXYZ', {0: shift, 1: shift, 2: shift}).outputs[0]
    position = builder.node('VectorMath', {0: builder.node('TexCoord').outputs['Object'], 1: offset}, operation='ADD').outputs[0]

    trunk = builder.mapped(position, along_grain(9.0, .55))
    warp = builder.noise(trunk, 1.2, 3)
    warped = builder.mix(.18, trunk, builder.noise_color(trunk, 1.0), 'ADD')
    ring = builder.node('TexWave', {'Vector': warped, 'Scale': .55, 'Distortion': 7.0, 'Detail': 3, 'Detail Scale': 1.1,
                                    'Detail Roughness': .6}, wave_type='RINGS', rings_direction=grain_axis).outputs[1]
    fibre = builder.noise(builder.mapped(position, along_grain(120, 2.2)), 1, 3, .6)
    pore = builder.noise(builder.mapped(position, along_grain(330, 9)), 1, 2)
    pores = builder.ramp(pore, [(0, (1, 1, 1)), (.36, (1, 1, 1)), (.43, (0, 0, 0))])

    tone = builder.add(builder.multiply(ring, rings), builder.add(builder.multiply(fibre, .50), .13 + (.24 - rings) * .5))
    tone = builder.add(tone, builder.multiply(builder.subtract(warp, .5), .42))
    dark, shadow, body, light = (linear(c) for c in palette)
    color = builder.ramp(tone, [(.1, dark), (.4, shadow), (.62, body), (.95, light)])
    color = builder.mix(builder.multiply(pores, .35), color, scaled(dark, .68))
    if brightness != 1:
        color = builder.mix(1.0, color, (brightness, brightness, brightness, 1), 'MULTIPLY')
    height = builder.subtract(builder.multiply(fibre, .3), builder.multiply(pores, .5))
    gloss = builder.add(roughness, builder.multiply(builder.subtract(fibre, .5), .18))
    builder.principled(Base_Color=color, Roughness=gloss, Specular=.4, Normal=builder.bump(height, .25, .0015))
    return builder.material


class Weave:
    """A plain weave under construction: scenes may tint or print on it before it is used."""

    def __init__(self, name, color, threads=600.0, relief=.35, roughness=.95, sheen=.35, slub=.5, variation=.12,
                 wrinkles=None):
        """`threads` per unit of UV; `wrinkles` is (scale, strength, depth) of the long-wave bump, or None."""
        builder = self.builder = MaterialBuilder(name)
        uv = self.uv = builder.node('TexCoord').outputs['UV']
        parts = builder.node('SeparateXYZ', {0: uv})
        wander = builder.multiply(builder.subtract(builder.noise(uv, threads / 14, 3, .6), .5), slub * 3)
        warp = builder.math('SINE', builder.add(builder.multiply(parts.outputs[0], threads * math.pi), wander))
        weft = builder.math('SINE', builder.add(builder.multiply(parts.outputs[1], threads * math.pi), wander))
        over = builder.math('GREATER_THAN', builder.multiply(warp, weft), 0.0)
        height = builder.mix(over, builder.math('ABSOLUTE', warp), builder.math('ABSOLUTE', weft))
        warp_tone = builder.noise(builder.mapped(uv, (threads / 2, threads / 40, 1)), 1, 2)
        weft_tone = builder.noise(builder.mapped(uv, (threads / 40, threads / 2, 1)), 1, 2)
        thread_tone = builder.mix(over, warp_tone, weft_tone)
        tint = builder.mix(builder.multiply(thread_tone, variation * 2), color, scaled(color, .72))
        tint = builder.mix(builder.multiply(builder.subtract(1.0, height), variation * 1.5), tint, scaled(color, .5))
        relief_height = builder.add(height, builder.multiply(thread_tone, .6))
        normal = None
        if wrinkles:
            scale, strength, depth = wrinkles
            normal = builder.bump(builder.noise(uv, scale, 4, .55, .6), strength, depth)
        self.normal = builder.bump(relief_height, relief, .0006, normal)
        self.color = tint
        self.shader = builder.principled(Base_Color=tint, Roughness=roughness, Specular=.1, Sheen=sheen, Sheen_Tint=.3,
                                         Normal=self.normal)
        self.material = builder.material


def leaf(name, color, translucency=.35):
    """A leaf: color differs from leaf to leaf, light shines through."""
    builder = MaterialBuilder(name)
    mottle = builder.noise(builder.coordinates(), 3, 3)
    individual = builder.node('ObjectInfo').outputs['Random']
    tint = builder.mix(builder.multiply(individual, .6), color, scaled(color, .55))
    tint = builder.mix(builder.multiply(mottle, .4), tint, tuple(min(1, c * 1.4 + .02) for c in color[:3]) + (1,))
    front = builder.node('BsdfPrincipled', {'Base Color': tint, 'Roughness': .55, 'Specular': .3})
    through = builder.node('BsdfTranslucent', {'Color': tint})
    return builder.surface(builder.node('MixShader', {0: translucency, 1: front.outputs[0], 2: through.outputs[0]}).outputs[0])


def veined_leaf(name, color, translucency=.2):
    """A leathery leaf for plants.broad_leaf(): a pale midrib, side veins that lean towards the tip, a soft gloss."""
    builder = MaterialBuilder(name)
    parts = builder.node('SeparateXYZ', {0: builder.node('TexCoord').outputs['UV']})
    across = builder.math('ABSOLUTE', builder.subtract(parts.outputs[1], .5))
    slanted = builder.subtract(parts.outputs[0], builder.multiply(across, .22))
    side = builder.math('ABSOLUTE', builder.math('SINE', builder.add(builder.multiply(slanted, 30.0), builder.multiply(builder.noise(builder.coordinates(), 60, 2), 1.2))))
    veins = builder.ramp(side, [(0, (1, 1, 1)), (.14, (0, 0, 0))])
    rib = builder.ramp(across, [(0, (1, 1, 1)), (.016, (1, 1, 1)), (.03, (0, 0, 0))])
    mottle = builder.noise(builder.coordinates(), 45, 4, .6)
    tint = builder.mix(mottle, scaled(color, .72), scaled(color, 1.2))
    pale = (min(1, color[0] * 2.2), min(1, color[1] * 1.7), min(1, color[2] * 1.5), 1)
    tint = builder.mix(builder.multiply(veins, .22), tint, pale)
    tint = builder.mix(builder.multiply(rib, .75), tint, pale)
    relief = builder.subtract(builder.multiply(mottle, .25), builder.add(builder.multiply(veins, .5), rib))
    front = builder.node('BsdfPrincipled', {'Base Color': tint, 'Roughness': .36, 'Specular': .45, 'Normal': builder.bump(relief, .35, .0006)})
    through = builder.node('BsdfTranslucent', {'Color': tint})
    return builder.surface(builder.node('MixShader', {0: translucency, 1: front.outputs[0], 2: through.outputs[0]}).outputs[0])


def glass_pane(name, reflection=1.0, roughness=0.0, tint=(.985, .99, .985, 1)):
    """Thin picture glass: transparent plus Fresnel gloss. Unlike refractive glass it lets the data passes look through."""
    builder = MaterialBuilder(name)
    fresnel = builder.multiply(builder.node('Fresnel', {'IOR': 1.45}).outputs[0], reflection)
    clear = builder.node('BsdfTransparent', {'Color': tint})
    gloss = builder.node('BsdfGlossy', {'Roughness': roughness})
    return builder.surface(builder.node('MixShader', {0: fresnel, 1: clear.outputs[0], 2: gloss.outputs[0]}).outputs[0])


def stoneware(name, light, dark, roughness=.72, throwing_lines=60):
    """Unglazed or matt ceramic with the fine rings that a potter's fingers leave."""
    builder = MaterialBuilder(name)
    speckle = builder.noise(builder.coordinates(), 40, 4)
    rings = builder.noise(builder.coordinates(scale=(3, 3, throwing_lines)), 1, 3)
    builder.principled(Base_Color=builder.mix(speckle, light, dark), Roughness=roughness, Specular=.3,
                       Normal=builder.bump(builder.add(rings, speckle), .35, .002))
    return builder.material


def metal(name, color, roughness=.28):
    return plain(name, color, roughness, .5, Metallic=1.0)
