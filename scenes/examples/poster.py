"""A flat picture in a scene that breaks with every habit: to see whether the exporter takes anything for granted.

    blender -b --python scenes/examples/poster.py -- poster.blend
    python3 scenes/make_template.py --blend poster.blend --id easel-poster --name "Poster on an easel" --category "Wall Art" --out /tmp/poster --width 640

Centimetres, Eevee, Filmic with an exposure of -.5, a plain sky, a long lens with shift, a compositor, a second UV map. The picture is the front of a thick
board under a turned and scaled parent, subdivided, with a UV map wider than the artwork and the artwork's own stand-in still in the material;
a ball stands in front of its corner.
"""

import math
import os
import sys

import bpy

bpy.ops.wm.read_factory_settings()
bpy.data.objects.remove(bpy.data.objects['Cube'])
bpy.data.objects.remove(bpy.data.objects['Light'])
scene = bpy.context.scene
scene.unit_settings.scale_length = .01
scene.render.engine = 'BLENDER_EEVEE'
scene.view_settings.view_transform, scene.view_settings.exposure = 'Filmic', -.5
scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 1500, 1200, 50
scene.use_nodes = True
scene.render.film_transparent = scene.render.use_motion_blur = True
scene.view_layers.new('clay')


def material(name, color, roughness=.6):
    new = bpy.data.materials.new(name)
    new.use_nodes = True
    shader = new.node_tree.nodes['Principled BSDF']
    shader.inputs['Base Color'].default_value = (*color, 1)
    shader.inputs['Roughness'].default_value = roughness
    return new


def stand_in(name):
    """A picture with transparent parts where the artwork will be, as a designer has it."""
    new = material(name, (1, 1, 1), .45)
    nodes, links = new.node_tree.nodes, new.node_tree.links
    picture = bpy.data.images.new('stand-in', 64, 64, alpha=True)
    picture.pixels = [value for i in range(64 * 64) for value in (.2, .5, .8, float(i % 64 > 20))]
    picture.pack()
    texture = nodes.new('ShaderNodeTexImage')
    texture.image = picture
    links.new(texture.outputs['Color'], nodes['Principled BSDF'].inputs['Base Color'])
    links.new(texture.outputs['Alpha'], nodes['Principled BSDF'].inputs['Alpha'])
    return new


hand = bpy.data.objects.new('easel', None)
scene.collection.objects.link(hand)
hand.location, hand.rotation_euler, hand.scale = (12, 40, 95), (math.radians(-7), math.radians(4), math.radians(-16)), (1.5, 1.5, 1.5)

# the board: its front face has the artwork between .1 and .9 of its width and all of its height
wide, high, thick = 30, 24, 1.2
x, z = wide / 2, high / 2
board = bpy.data.meshes.new('board')
board.from_pydata([(sx * x, sy * thick / 2, sz * z) for sy in (-1, 1) for sx, sz in ((-1, -1), (1, -1), (1, 1), (-1, 1))], [],
                  [(0, 1, 2, 3), (5, 4, 7, 6), (4, 5, 1, 0), (3, 2, 6, 7), (1, 5, 6, 2), (4, 0, 3, 7)])
board.materials.append(material('board edge', (.55, .4, .25)))
board.materials.append(stand_in('Artwork'))
board.polygons[0].material_index = 1
artwork = board.uv_layers.new(name='artwork')
for loop, place in zip(board.polygons[0].loop_indices, ((-.125, 0), (1.125, 0), (1.125, 1), (-.125, 1))):
    artwork.data[loop].uv = place
for polygon in board.polygons[1:]:
    for loop in polygon.loop_indices:
        artwork.data[loop].uv = (.5, .5)
light_map = board.uv_layers.new(name='lightmap')
for i, loop in enumerate(light_map.data):
    loop.uv = (i % 4 / 4, i / 24)
board.uv_layers.active = light_map
artwork.active_render = True
thing = bpy.data.objects.new('board', board)
scene.collection.objects.link(thing)
thing.parent, thing.location = hand, (2, 0, 1)
more = thing.modifiers.new('subdivision', 'SUBSURF')
more.subdivision_type, more.levels, more.render_levels = 'SIMPLE', 2, 2

bpy.ops.mesh.primitive_plane_add(size=900)
bpy.context.object.data.materials.append(material('floor', (.32, .27, .22)))
bpy.ops.mesh.primitive_plane_add(size=900, location=(0, 120, 0), rotation=(math.pi / 2, 0, 0))
bpy.context.object.data.materials.append(material('wall', (.42, .47, .45)))
bpy.ops.mesh.primitive_uv_sphere_add(radius=8, location=(2, 18, 84))
bpy.context.object.data.materials.append(material('ball', (.75, .2, .1), .2))
for polygon in bpy.context.object.data.polygons:
    polygon.use_smooth = True
bpy.ops.object.light_add(type='SUN', rotation=(math.radians(50), math.radians(18), 0))
bpy.context.object.data.energy = 3.2
world = scene.world
world.use_nodes = True
world.node_tree.nodes['Background'].inputs[0].default_value = (.6, .75, 1, 1)
world.node_tree.nodes['Background'].inputs[1].default_value = .55

camera = bpy.data.objects['Camera']
camera.location, camera.rotation_euler = (70, -190, 118), (math.radians(85), math.radians(1.5), math.radians(15))
camera.data.lens, camera.data.sensor_width, camera.data.shift_x, camera.data.shift_y, camera.data.clip_end = 75, 32, .04, -.06, 5000
bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(sys.argv[sys.argv.index('--') + 1]))
