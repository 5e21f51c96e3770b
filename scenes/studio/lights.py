"""Daylight: a warm sun through a window that only shadows can see, a large soft fill and a little sky."""

import math

import bpy
from mathutils import Matrix, Vector

from . import materials, plants, shapes


def facing(origin, target):
    return (Vector(target) - Vector(origin)).to_track_quat('-Z', 'Y').to_euler()


def sun(direction, strength, softness_degrees=1.1, color=(1, .90, .76)):
    light = bpy.data.lights.new('sun', 'SUN')
    light.energy, light.angle, light.color = strength, math.radians(softness_degrees), color
    thing = bpy.data.objects.new('sun', light)
    bpy.context.collection.objects.link(thing)
    thing.rotation_euler = Vector(direction).to_track_quat('-Z', 'Y').to_euler()
    return thing


def soft_box(location, target, width, height, watts, color=(1, 1, 1)):
    """A large area light; glossy surfaces see it, the camera does not."""
    light = bpy.data.lights.new('soft box', 'AREA')
    light.shape, light.size, light.size_y, light.energy, light.color = 'RECTANGLE', width, height, watts, color
    thing = bpy.data.objects.new('soft box', light)
    bpy.context.collection.objects.link(thing)
    thing.location, thing.rotation_euler = location, facing(location, target)
    thing.visible_camera = False
    return thing


def sky(color, strength):
    world = bpy.data.worlds.new('sky')
    bpy.context.scene.world = world
    world.use_nodes = True
    background = world.node_tree.nodes['Background']
    background.inputs[0].default_value = (*color, 1)
    background.inputs[1].default_value = strength
    return world


def cast_shadow_only(thing):
    thing.visible_camera = thing.visible_glossy = thing.visible_diffuse = thing.visible_transmission = False


class Window:
    """A window that the sun shines through: blockers around the panes, bars, and twigs in front of it.

    It stands across the sun's direction, `distance` before the point `center` of the lit surface; x runs to the right as the sun
    looks, y up. `bars_x` and `bars_y` are the bars' places in metres from the window's middle: put them where their shadows
    miss the artwork.
    """

    REACH = 6  # metres of wall around the window; nothing beyond it is lit

    def __init__(self, center, direction, width, height, bars_x=(), bars_y=(), bar=.036, distance=2.2):
        heading = Vector(direction).normalized()
        right = heading.cross(Vector((0, 0, 1))).normalized()
        up = right.cross(heading).normalized()
        self.placement = Matrix.Translation(Vector(center) - heading * distance) @ Matrix((right, up, -heading)).transposed().to_4x4()
        vertices, faces = [], []

        def rectangle(x0, y0, x1, y1):
            first = len(vertices)
            vertices.extend([(x0, y0, 0), (x1, y0, 0), (x1, y1, 0), (x0, y1, 0)])
            faces.append((first, first + 1, first + 2, first + 3))

        x, y, far = width / 2, height / 2, self.REACH
        rectangle(-far, -far, -x, far)
        rectangle(x, -far, far, far)
        rectangle(-x, -far, x, -y)
        rectangle(-x, y, x, far)
        for place in bars_x:
            rectangle(place - bar / 2, -y, place + bar / 2, y)
        for place in bars_y:
            rectangle(-x, place - bar / 2, x, place + bar / 2)
        self.black = materials.plain('black', (0, 0, 0, 1))
        thing = shapes.mesh('window', vertices, faces, self.black)
        thing.matrix_world = self.placement
        cast_shadow_only(thing)

    def twigs(self, random, stems, leaf_length=.11):
        """Branches in front of the window; stems are (x, y, angle in radians, length)."""
        for x, y, angle, length in stems:
            base = self.placement @ Vector((x, y, random.uniform(.05, .5)))
            direction = self.placement.to_3x3() @ Vector((math.cos(angle), math.sin(angle), random.uniform(-.2, .2)))
            for thing in plants.branch(base, direction, length, self.black, self.black, random, leaf_count=int(length * 26),
                                       leaf_size=(leaf_length, leaf_length * .42), curve=.25, stem_radius=.005, lift=0):
                cast_shadow_only(thing)
