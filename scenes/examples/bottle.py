"""A bottle of shampoo that is painted already, made the way somebody who never heard of Vitrine would make it.

    blender -b --python scenes/examples/bottle.py -- bottle.blend
    python3 scenes/make_template.py --blend bottle.blend --id shampoo --name "Shampoo bottle" --category "Packaging" --type product --out /tmp/shampoo --width 640

Bottle and label are one mesh, turned on a lathe and smoothed by a modifier. Its UV map `UVMap` lays the whole bottle out, and a texture uses it by
name. Two things make the bottle a template: the label's faces have the material "Artwork", and a second UV map, active for rendering, spreads them over 0..1.
"""

import math
import os
import sys

import bpy

SIDES = 48
LABEL_SIDES = range(-13, 13)  # of 48: round the front, and out of sight on both sides
LABEL_ROWS = range(2, 8)
PROFILE = [(0, 0), (.55, 0), (.6, .06), (.6, .3), (.61, .55), (.615, .8), (.615, 1.05), (.61, 1.3), (.6, 1.55), (.6, 1.7),
           (.5, 1.9), (.25, 2.0), (.24, 2.05), (.24, 2.3), (.2, 2.34), (0, 2.34)]  # radius, height


def material(name, color, roughness=.5):
    new = bpy.data.materials.new(name)
    new.use_nodes = True
    shader = new.node_tree.nodes['Principled BSDF']
    shader.inputs['Base Color'].default_value = (*color, 1)
    shader.inputs['Roughness'].default_value = roughness
    return new


def painted(name):
    """Plastic with a pattern that stands where the map `UVMap` says."""
    new = material(name, (.1, .3, .3), .25)
    nodes, links = new.node_tree.nodes, new.node_tree.links
    place, checks = nodes.new('ShaderNodeUVMap'), nodes.new('ShaderNodeTexChecker')
    place.uv_map = 'UVMap'
    checks.inputs['Scale'].default_value = 24
    checks.inputs['Color1'].default_value, checks.inputs['Color2'].default_value = (.1, .3, .3, 1), (.12, .36, .35, 1)
    links.new(place.outputs[0], checks.inputs['Vector'])
    links.new(checks.outputs['Color'], nodes['Principled BSDF'].inputs['Base Color'])
    return new


def bottle():
    vertices = [(radius * math.sin(turn), -radius * math.cos(turn), height) for radius, height in PROFILE
                for turn in (math.tau * side / SIDES for side in range(SIDES))]
    places = [(row, side) for row in range(len(PROFILE) - 1) for side in range(-SIDES // 2, SIDES // 2)]
    faces = [(row * SIDES + side % SIDES, row * SIDES + (side + 1) % SIDES, (row + 1) * SIDES + (side + 1) % SIDES, (row + 1) * SIDES + side % SIDES)
             for row, side in places]
    mesh = bpy.data.meshes.new('bottle')
    mesh.from_pydata(vertices, [], faces)
    whole, label = mesh.uv_layers.new(name='UVMap'), mesh.uv_layers.new(name='Label')
    for face, (row, side) in zip(mesh.polygons, places):
        face.use_smooth = True
        face.material_index = int(row in LABEL_ROWS and side in LABEL_SIDES)
        for loop, (across, up) in zip(face.loop_indices, ((0, 0), (1, 0), (1, 1), (0, 1))):
            whole.data[loop].uv = (side + across) / SIDES + .5, (row + up) / (len(PROFILE) - 1)
            if face.material_index:
                height = PROFILE[row + up][1] - PROFILE[LABEL_ROWS.start][1]
                label.data[loop].uv = ((side + across - LABEL_SIDES.start) / len(LABEL_SIDES),
                                       height / (PROFILE[LABEL_ROWS.stop][1] - PROFILE[LABEL_ROWS.start][1]))
            else:
                label.data[loop].uv = -1, -1  # no artwork there
    (whole if '--whole-bottle' in sys.argv else label).active_render = True
    thing = bpy.data.objects.new('bottle', mesh)
    thing.modifiers.new('smooth', 'SUBSURF').render_levels = 2
    bpy.context.scene.collection.objects.link(thing)
    return thing


bpy.ops.wm.read_factory_settings()
bpy.data.objects.remove(bpy.data.objects['Cube'])
bpy.ops.mesh.primitive_plane_add(size=12)
bpy.context.object.data.materials.append(material('table', (.45, .4, .36)))
bpy.ops.mesh.primitive_plane_add(size=12, location=(0, 3, 0), rotation=(math.pi / 2, 0, 0))
bpy.context.object.data.materials.append(material('wall', (.6, .55, .5)))
standing = bottle()
standing.rotation_euler = (0, 0, math.radians(-12))
standing.data.materials.append(painted('plastic'))
standing.data.materials.append(material('Artwork', (.9, .9, .85), .35))
camera = bpy.data.objects['Camera']
camera.location, camera.rotation_euler = (0, -7, 2.1), (math.radians(82), 0, 0)
bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y = 1500, 1500
bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(sys.argv[sys.argv.index('--') + 1]))
