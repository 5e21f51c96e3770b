"""A plain scene, made the way somebody who never heard of Vitrine would make it: a curved banner in Blender's start-up light.

    blender -b --python scenes/examples/banner.py -- banner.blend
    python3 scenes/make_template.py --blend banner.blend --id curved-banner --name "Curved banner" --category "Signs" --out /tmp/banner --width 640

The only thing that makes it a template is the name of the banner's material: "Artwork".
"""

import math
import os
import sys

import bpy


def material(name, color, roughness=.5):
    new = bpy.data.materials.new(name)
    new.use_nodes = True
    shader = new.node_tree.nodes['Principled BSDF']
    shader.inputs['Base Color'].default_value = (*color, 1)
    shader.inputs['Roughness'].default_value = roughness
    return new


def banner(steps=24):
    vertices, faces, uv = [], [], []
    for row in range(2):
        for i in range(steps + 1):
            angle = math.radians(-50 + 100 * i / steps)
            vertices.append((1.6 * math.sin(angle), 1.2 - 1.6 * math.cos(angle), .3 + 1.8 * row))
            uv.append((i / steps, row))
    faces = [(i, i + 1, steps + 2 + i, steps + 1 + i) for i in range(steps)]
    mesh = bpy.data.meshes.new('banner')
    mesh.from_pydata(vertices, [], faces)
    layer = mesh.uv_layers.new()
    for loop in mesh.loops:
        layer.data[loop.index].uv = uv[loop.vertex_index]
    thing = bpy.data.objects.new('banner', mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


bpy.ops.wm.read_factory_settings()
bpy.data.objects.remove(bpy.data.objects['Cube'])
bpy.ops.mesh.primitive_plane_add(size=10)
bpy.context.object.data.materials.append(material('floor', (.35, .28, .2)))
bpy.ops.mesh.primitive_plane_add(size=10, location=(0, 3, 0), rotation=(math.pi / 2, 0, 0))
bpy.context.object.data.materials.append(material('wall', (.6, .5, .55)))
banner().data.materials.append(material('Artwork', (.8, .8, .8)))
bpy.ops.mesh.primitive_uv_sphere_add(radius=.4, location=(-.9, -1.1, .4))
bpy.context.object.data.materials.append(material('ball', (.8, .2, .1), .1))
camera = bpy.data.objects['Camera']
camera.location, camera.rotation_euler = (1.2, -7, 2.2), (math.radians(80), 0, math.radians(9))
bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y = 1600, 1200
bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(sys.argv[sys.argv.index('--') + 1]))
