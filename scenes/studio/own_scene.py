"""Makes a template of a designer's own .blend: finds the materials that are marked as artwork and prepares them.

A material is marked by its name: it begins with "Artwork" ("Artwork", "Artwork 2", "artwork poster"). Frames are numbered in the
order of the names. The mesh needs a UV map in which the artwork fills 0..1; what lies outside carries no artwork. The material's
Principled shader keeps its roughness, bump and gloss; only its Base Color is replaced by white.

A material named "Color shirt" makes its parts a color area, whose default is the material's Base Color.

Nothing is taken for granted about the rest: own units, parents, modifiers, camera shift, compositor, Eevee, exposure. What is flat is measured
on the finished mesh, in the world.
"""

import math
import os
import re
from types import SimpleNamespace

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Matrix, Vector

from . import surface
from .nodes import MaterialBuilder, hexadecimal
from .stage import Shot

WHITE = .82
COLOR_PREFIX = 'Color '
FILLED = .9  # a surface whose map reaches across less of the artwork than this is likely laid out for something else
FLAT = 2e-4  # of the artwork's longer side: how far the surface may leave the plane, or the map be bent, and still be given by four corners
SQUARE = 1e-4  # how far a UV coordinate may be outside 0..1 and still belong to the artwork


class OwnSceneError(Exception):
    """Says in one sentence what the scene lacks."""


def open_scene(path, width, artworks=None, dyes=None):
    """Opens the file and returns (facts, shot) as a set does. Everything but the artwork materials stays as it is."""
    if not os.path.exists(path):
        raise OwnSceneError('There is no file %s.' % path)
    bpy.ops.wm.open_mainfile(filepath=path)
    scene = bpy.context.scene
    if not scene.camera:
        raise OwnSceneError('The scene has no camera: add one (Add > Camera) and look through it.')
    ratio = scene.render.resolution_x / scene.render.resolution_y
    scene.render.resolution_x, scene.render.resolution_y = width, round(width / ratio / 2) * 2
    settle(scene)
    shot = Shot(scene.render.resolution_x, scene.render.resolution_y, 1, artworks, dyes)
    marked = sorted((m for m in bpy.data.materials if m.name.lower().startswith('artwork') and m.users), key=lambda m: m.name.lower())
    if not marked:
        raise OwnSceneError('No material is marked: rename the one that carries the artwork to "Artwork".')
    surfaces = [MarkedSurface(find_owner(material), material) for material in marked]
    quads = [found.quad(scene) for found in surfaces]
    flat = all(quads)
    for index, (found, quad) in enumerate(zip(surfaces, quads)):
        name = 'F%d' % (index + 1)
        prepare_material(found.material, name, shot.artwork(name))
        shot.add_frame(name, found.material.get('aspect_ratio') or found.aspect_ratio(), quad if flat else None)
    for material in bpy.data.materials:
        if material.name.startswith(COLOR_PREFIX) and material.users:
            prepare_color(shot, material)
    notes = [note for note in (found.note_of_blank_parts() for found in surfaces) if note]
    return {'render_mode': 'corners' if flat else 'uvmap', 'notes': notes}, shot


def settle(scene):
    """Takes out of the render settings what would change the passes or keep them from being written."""
    if scene.camera.data.type == 'PANO':
        raise OwnSceneError('The camera "%s" is a panorama: templates need a perspective or an orthographic one.' % scene.camera.name)
    render = scene.render
    render.resolution_percentage = 100
    render.pixel_aspect_x = render.pixel_aspect_y = 1
    render.use_compositing = render.use_sequencer = render.use_multiview = render.use_motion_blur = render.film_transparent = False
    render.use_overwrite = True
    scene.cycles.time_limit = 0
    # the exposure slider is a plain factor of the light, so that it can be kept; the view transform is not, and is left out
    scene.cycles.film_exposure *= 2 ** scene.view_settings.exposure
    layer = bpy.context.view_layer
    for other in scene.view_layers:
        other.use = other == layer
    layer.material_override = None


def find_owner(material):
    for thing in bpy.context.view_layer.objects:
        if thing.type == 'MESH' and any(slot.material == material for slot in thing.material_slots) and not thing.hide_render:
            if not thing.data.uv_layers:
                raise OwnSceneError('The object "%s" has no UV map: in Edit Mode press U and unwrap the surface of the artwork.' % thing.name)
            return thing
    raise OwnSceneError('No visible mesh uses the material "%s".' % material.name)


class MarkedSurface:
    """The triangles that carry the artwork, in the world, with modifiers: `points` (n x 3 x 3) and `uv` (n x 3 x 2)."""

    def __init__(self, thing, material):
        self.thing, self.material = thing, material
        evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        mesh.calc_loop_triangles()
        # the map that materials read by default, which need not be the one that is selected for editing
        layer = next((found for found in mesh.uv_layers if found.active_render), mesh.uv_layers.active)
        if layer is None:
            raise OwnSceneError('The UV map of "%s" does not survive its modifiers.' % thing.name)
        world = np.array(evaluated.matrix_world)
        slots = [slot.material for slot in evaluated.material_slots]
        chosen = [t for t in mesh.loop_triangles if t.material_index < len(slots) and slots[t.material_index].name == material.name]
        points = np.array([[mesh.vertices[i].co for i in t.vertices] for t in chosen], float).reshape(-1, 3, 3)
        uv = np.array([[layer.data[i].uv for i in t.loops] for t in chosen], float).reshape(-1, 3, 2)
        evaluated.to_mesh_clear()
        on_artwork = (uv.max(1) > SQUARE).all(1) & (uv.min(1) < 1 - SQUARE).all(1)
        self.points, self.uv = points[on_artwork] @ world[:3, :3].T + world[:3, 3], uv[on_artwork]
        if not len(self.uv):
            raise OwnSceneError('The UV map of "%s" has no face inside 0..1.' % thing.name)

    def quad(self, scene):
        """The artwork's four corners where the surface is flat and the map straight; None where it needs a map of its own."""
        places = np.c_[self.uv.reshape(-1, 2), np.ones(self.uv.shape[0] * 3)]
        points = self.points.reshape(-1, 3)
        axes, _, rank, _ = np.linalg.lstsq(places, points, rcond=None)
        if rank < 3 or np.abs(places @ axes - points).max() > FLAT * np.linalg.norm(axes[:2], axis=1).max():
            return None
        corners = [Vector(np.array([u, v, 1]) @ axes) for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))]
        if any(world_to_camera_view(scene, scene.camera, corner).z <= 0 for corner in corners):
            return None
        return Quad(corners)

    def aspect_ratio(self):
        """Width / height: how far one moves in space along u and along v, over all triangles that lie in the square."""
        along_u = along_v = 0.0
        for points, uv in zip(self.points, self.uv):
            edges = np.stack([uv[1] - uv[0], uv[2] - uv[0]], 1)
            determinant = np.linalg.det(edges)
            if abs(determinant) < 1e-12:
                continue
            tangents = np.stack([points[1] - points[0], points[2] - points[0]], 1) @ np.linalg.inv(edges)
            along_u += np.linalg.norm(tangents[:, 0]) * abs(determinant)
            along_v += np.linalg.norm(tangents[:, 1]) * abs(determinant)
        if not along_u or not along_v:
            raise OwnSceneError('The UV map of "%s" has no area.' % self.thing.name)
        return along_u / along_v

    def note_of_blank_parts(self):
        """What to tell a designer whose UV map was made for a whole object and gives the artwork's surface a piece of it; None where it fills 0..1."""
        places = np.clip(self.uv.reshape(-1, 2), 0, 1)
        across, down = places.max(0) - places.min(0)
        if min(across, down) >= FILLED:
            return None
        return ('The UV map of "%s" shows only %.0f %% of the width and %.0f %% of the height of the artwork on "%s". For the whole artwork, add a second UV map, '
                'click its camera icon, and scale the faces in it to fill 0..1.' % (self.thing.name, 100 * across, 100 * down, self.material.name))


class Quad:
    """Four points of the world as Shot.corners() reads a plane: bottom left, bottom right, top right, top left."""

    matrix_world = Matrix.Identity(4)

    def __init__(self, corners):
        self.data = SimpleNamespace(vertices=[SimpleNamespace(co=corner) for corner in corners])


class ExistingMaterial(MaterialBuilder):
    """The node helpers on a material that is already there."""

    def __init__(self, material):
        material.use_nodes = True
        self.material, self.tree = material, material.node_tree
        self.output = next((n for n in self.tree.nodes if n.type == 'OUTPUT_MATERIAL' and n.is_active_output), None)


def prepare_color(shot, material):
    """Makes the parts with a material named "Color shirt" the color area "shirt"; its Base Color is the default."""
    name = re.sub('[^a-z0-9]+', '-', material.name[len(COLOR_PREFIX):].lower()).strip('-')
    if not re.fullmatch('[a-z][a-z0-9-]{0,31}', name):
        raise OwnSceneError('The material "%s" needs a name such as "Color shirt".' % material.name)
    builder = ExistingMaterial(material)
    shader = next((n for n in builder.tree.nodes if n.type == 'BSDF_PRINCIPLED'), None)
    if shader is None or shader.inputs['Base Color'].is_linked:
        raise OwnSceneError('The material "%s" needs a Principled BSDF with a plain Base Color.' % material.name)
    base = shader.inputs['Base Color']
    shot.add_color(name, hexadecimal(base.default_value))
    base.default_value = surface.dyed(shot, name, base.default_value)
    surface.write_color_aov(builder, name)


def prepare_material(material, frame_name, artwork):
    builder = ExistingMaterial(material)
    uv = builder.node('TexCoord').outputs['UV']
    parts = builder.node('SeparateXYZ', {0: uv})
    mask = builder.multiply(*(builder.within(parts.outputs[i], -SQUARE, 1 + SQUARE) for i in (0, 1)))
    shader = next((n for n in builder.tree.nodes if n.type == 'BSDF_PRINCIPLED'), None)
    if shader is None:
        raise OwnSceneError('The material "%s" needs a Principled BSDF, whose Base Color is the artwork.' % material.name)
    base, alpha = shader.inputs['Base Color'], shader.inputs['Alpha']
    if base.links and alpha.links and alpha.links[0].from_node == base.links[0].from_node:
        builder.tree.links.remove(alpha.links[0])  # the transparency of the picture that stood in for the artwork
        alpha.default_value = 1
    for link in list(base.links):
        builder.tree.links.remove(link)
    white = (WHITE, WHITE, WHITE, 1)
    builder.connect(base, surface.printed(builder, white, artwork, uv, mask))
    for name in ('Metallic', 'Transmission', 'Subsurface'):
        if not shader.inputs[name].is_linked and not math.isclose(shader.inputs[name].default_value, 0):
            shader.inputs[name].default_value = 0  # paper, cloth and glaze: light that passes the artwork's color
    surface.write_aov(builder, frame_name, uv, mask)
