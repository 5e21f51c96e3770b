"""Makes a template of a designer's own .blend: finds the materials that are marked as artwork and prepares them.

A material is marked by its name: it begins with "Artwork" ("Artwork", "Artwork 2", "artwork poster"). Frames are numbered in the
order of the names. The mesh needs a UV map in which the artwork fills 0..1; what lies outside carries no artwork. The material's
Principled shader keeps its roughness, bump and gloss; only its Base Color is replaced by white.
"""

import math
import os

import bpy
import numpy as np

from . import surface
from .nodes import MaterialBuilder
from .stage import Shot

WHITE = .82


class OwnSceneError(Exception):
    """Says in one sentence what the scene lacks."""


def open_scene(path, width, artworks=None):
    """Opens the file and returns (facts, shot) as a set does. Everything but the artwork materials stays as it is."""
    if not os.path.exists(path):
        raise OwnSceneError('There is no file %s.' % path)
    bpy.ops.wm.open_mainfile(filepath=path)
    scene = bpy.context.scene
    if not scene.camera:
        raise OwnSceneError('The scene has no camera: add one (Add > Camera) and look through it.')
    ratio = scene.render.resolution_x / scene.render.resolution_y
    scene.render.resolution_x, scene.render.resolution_y = width, round(width / ratio / 2) * 2
    scene.render.resolution_percentage = 100
    scene.render.pixel_aspect_x = scene.render.pixel_aspect_y = 1
    shot = Shot(scene.render.resolution_x, scene.render.resolution_y, 1, artworks)
    marked = sorted((m for m in bpy.data.materials if m.name.lower().startswith('artwork') and m.users), key=lambda m: m.name.lower())
    if not marked:
        raise OwnSceneError('No material is marked: rename the one that carries the artwork to "Artwork".')
    owners = [find_owner(material) for material in marked]
    flat = all(is_flat_quad(owner) for owner in owners)
    for index, (material, owner) in enumerate(zip(marked, owners)):
        name = 'F%d' % (index + 1)
        prepare_material(material, name, shot.artwork(name))
        ratio = material.get('aspect_ratio') or measured_aspect(owner, material)
        shot.add_frame(name, ratio, UprightQuad(owner) if flat else None)
    return {'render_mode': 'corners' if flat else 'uvmap'}, shot


def find_owner(material):
    for thing in bpy.data.objects:
        if thing.type == 'MESH' and any(slot.material == material for slot in thing.material_slots) and not thing.hide_render:
            if not thing.data.uv_layers:
                raise OwnSceneError('The object "%s" has no UV map: in Edit Mode press U and unwrap the surface of the artwork.' % thing.name)
            return thing
    raise OwnSceneError('No visible mesh uses the material "%s".' % material.name)


def is_flat_quad(thing):
    """One face with four corners at the corners of the UV square: then four points describe it exactly."""
    if len(thing.data.polygons) != 1 or len(thing.data.vertices) != 4 or thing.modifiers:
        return False
    found = {tuple(round(c, 4) for c in loop.uv) for loop in thing.data.uv_layers.active.data}
    return found == {(0, 0), (1, 0), (1, 1), (0, 1)}


class UprightQuad:
    """A flat quad with its vertices in the order that Shot.corners() reads: bottom left, bottom right, top right, top left of the UV map."""

    def __init__(self, thing):
        self.thing = thing
        by_uv = {tuple(round(c) for c in thing.data.uv_layers.active.data[loop].uv): thing.data.loops[loop].vertex_index
                 for loop in thing.data.polygons[0].loop_indices}
        order = [by_uv[corner] for corner in ((0, 0), (1, 0), (1, 1), (0, 1))]
        vertices = [thing.data.vertices[i] for i in order]
        self.data = type('Quad', (), {'vertices': vertices})

    @property
    def matrix_world(self):
        return self.thing.matrix_world


def measured_aspect(thing, material):
    """Width / height of the artwork on the surface: how far one moves in space along u and along v, over all faces of the material."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    layer, world = mesh.uv_layers.active.data, np.array(thing.matrix_world)[:3, :3]
    along_u = along_v = 0.0
    for triangle in mesh.loop_triangles:
        slot = thing.material_slots[triangle.material_index] if triangle.material_index < len(thing.material_slots) else None
        if slot is None or slot.material != material:
            continue
        points = [world @ np.array(mesh.vertices[i].co) for i in triangle.vertices]
        uv = [np.array(layer[i].uv) for i in triangle.loops]
        if not all(-.001 <= c <= 1.001 for pair in uv for c in pair):
            continue
        edges = np.stack([uv[1] - uv[0], uv[2] - uv[0]], 1)
        determinant = np.linalg.det(edges)
        if abs(determinant) < 1e-12:
            continue
        tangents = np.stack([points[1] - points[0], points[2] - points[0]], 1) @ np.linalg.inv(edges)
        along_u += np.linalg.norm(tangents[:, 0]) * abs(determinant)
        along_v += np.linalg.norm(tangents[:, 1]) * abs(determinant)
    evaluated.to_mesh_clear()
    if not along_u or not along_v:
        raise OwnSceneError('The UV map of "%s" has no face inside 0..1.' % thing.name)
    return along_u / along_v


class ExistingMaterial(MaterialBuilder):
    """The node helpers on a material that is already there."""

    def __init__(self, material):
        material.use_nodes = True
        self.material, self.tree = material, material.node_tree
        self.output = next((n for n in self.tree.nodes if n.type == 'OUTPUT_MATERIAL' and n.is_active_output), None)


def prepare_material(material, frame_name, artwork):
    builder = ExistingMaterial(material)
    uv = builder.node('TexCoord').outputs['UV']
    parts = builder.node('SeparateXYZ', {0: uv})
    mask = builder.multiply(builder.within(parts.outputs[0], -1e-4, 1 + 1e-4), builder.within(parts.outputs[1], -1e-4, 1 + 1e-4))
    shader = next((n for n in builder.tree.nodes if n.type == 'BSDF_PRINCIPLED'), None)
    if shader is None:
        raise OwnSceneError('The material "%s" needs a Principled BSDF, whose Base Color is the artwork.' % material.name)
    base = shader.inputs['Base Color']
    for link in list(base.links):
        builder.tree.links.remove(link)
    white = (WHITE, WHITE, WHITE, 1)
    builder.connect(base, surface.printed(builder, white, artwork, uv, mask))
    for name in ('Metallic', 'Transmission', 'Subsurface'):
        if not shader.inputs[name].is_linked and not math.isclose(shader.inputs[name].default_value, 0):
            shader.inputs[name].default_value = 0  # paper, cloth and glaze: light that passes the artwork's color
    surface.write_aov(builder, frame_name, uv, mask)
