"""Camera, render settings and the passes; a `Shot` is what a set is built for."""

import os
import random

import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from . import lights


class Shot:
    """One scene at one size: what a set's build() receives.

    `artworks` maps frame names to picture files for the truth check; it is empty for a template's own render, where the
    surfaces stay white. `dyes` maps color areas to '#rrggbb' for the same check; a template's own render has the defaults.
    """

    def __init__(self, width, height, seed, artworks=None, dyes=None):
        self.width, self.height = width, height
        self.random = random.Random(seed)
        self.artworks = artworks or {}
        self.dyes = dyes or {}
        self.frames = []
        self.colors = []
        self.glass = []

    def artwork(self, frame_name):
        return self.artworks.get(frame_name)

    def add_frame(self, name, aspect_ratio, print_plane=None, surface_color=None, shines=False, area=None):
        """Registers a frame in drawing order; flat ones bring the plane whose corners they are. `shines`: a screen, see surface.screen(). `area`: the color area that it lies on."""
        self.frames.append({'name': name, 'aspect_ratio': aspect_ratio, 'plane': print_plane, 'surface_color': surface_color, 'shines': shines, 'area': area})

    def add_color(self, name, default, suggestions=(), dark=None):
        """Registers a color area: parts whose materials call surface.color_area() with its name. `suggestions` are (name, '#rrggbb').

        With `dark`, darker than the default in each channel, the light on it is rendered in that color too.
        """
        self.colors.append({'name': name, 'default': default, 'dark': dark, 'suggestions': [{'name': n, 'value': v} for n, v in suggestions]})

    def default_color(self, name):
        return next(color['default'] for color in self.colors if color['name'] == name)

    def describe_frames(self):
        described = []
        for frame in self.frames:
            entry = {'name': frame['name'], 'aspect_ratio': frame['aspect_ratio']}
            if frame['plane']:
                entry['corners'] = self.corners(frame['plane'])
            if frame['surface_color']:
                entry['surface_color'] = frame['surface_color']
            if frame['shines']:
                entry['shines'] = True
            if frame['area']:
                entry['area'] = frame['area']
            described.append(entry)
        return described

    def corners(self, print_plane):
        """The plane's corners in picture pixels, y down: top left, top right, bottom right, bottom left."""
        scene = bpy.context.scene
        bpy.context.view_layer.update()
        points = [print_plane.matrix_world @ vertex.co for vertex in print_plane.data.vertices]
        projected = [world_to_camera_view(scene, scene.camera, points[i]) for i in (3, 2, 1, 0)]
        return [(p.x * self.width, (1 - p.y) * self.height) for p in projected]

    def camera(self, location, target, lens_mm, focus=None, f_stop=8.0, shift=(0, 0)):
        """Places the camera; `focus` is a point to be sharp at (depth of field on) or None."""
        data = bpy.data.cameras.new('camera')
        thing = bpy.data.objects.new('camera', data)
        bpy.context.collection.objects.link(thing)
        thing.location, thing.rotation_euler = location, lights.facing(location, target)
        data.lens, data.clip_start = lens_mm, .01
        data.shift_x, data.shift_y = shift
        data.sensor_fit = 'HORIZONTAL'
        if focus is not None:
            data.dof.use_dof = True
            data.dof.focus_distance = (Vector(focus) - Vector(location)).length
            data.dof.aperture_fstop = f_stop
        scene = bpy.context.scene
        scene.camera = thing
        scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = self.width, self.height, 100
        return thing


def clear():
    """Empties Blender's start-up file."""
    for collection in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.lights, bpy.data.cameras):
        for item in list(collection):
            collection.remove(item)


BEAUTY_PASSES = ('diffuse_direct', 'diffuse_indirect', 'diffuse_color', 'glossy_direct', 'glossy_indirect', 'glossy_color',
                 'transmission_direct', 'transmission_indirect', 'transmission_color', 'emit', 'environment')


def set_quality(samples, seed, threads=1, keep_bounces=False):
    """Cycles for clean interiors: few bounces, no caustics, indirect light clamped; nothing that changes from run to run.

    `keep_bounces` leaves a designer's own light paths as they are.
    """
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = 'CPU', samples, seed
    cycles.use_adaptive_sampling = cycles.use_denoising = False
    if not keep_bounces:
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 6, 4, 3
        cycles.transmission_bounces, cycles.transparent_max_bounces = 6, 8
        cycles.caustics_reflective = cycles.caustics_refractive = False
        cycles.sample_clamp_indirect, cycles.blur_glossy = 4.0, 1.0
    cycles.pixel_filter_type, cycles.filter_width = 'BLACKMAN_HARRIS', 1.5
    scene.render.threads_mode, scene.render.threads = 'FIXED', threads
    scene.view_settings.view_transform = 'Standard'


def want_passes(beauty):
    layer = bpy.context.view_layer
    for name in BEAUTY_PASSES:
        setattr(layer, 'use_pass_' + name, beauty)
    layer.use_pass_z = False
    layer.cycles.denoising_store_passes = beauty


def switch_to_data(pixel_centres):
    """Turns the scene into a source of exact AOVs: no light, no glass, camera rays only, nothing shaded but the AOVs themselves.

    With `pixel_centres` every pixel is sampled once, at its centre and without lens blur, because an averaged coordinate is
    blurred by the pixel filter and wrong at every edge.
    """
    scene = bpy.context.scene
    for thing in list(bpy.data.objects):
        if thing.type == 'LIGHT' or thing.name.lower().endswith('glass'):
            bpy.data.objects.remove(thing)
    for material in bpy.data.materials:
        if not material.use_nodes:
            continue
        tree = material.node_tree
        if not any(node.type == 'OUTPUT_AOV' for node in tree.nodes):
            tree.nodes.clear()
            tree.nodes.new('ShaderNodeOutputMaterial')
        # the cheapest surface; without any, Cycles would leave the AOV out as well
        output = next(node for node in tree.nodes if node.type == 'OUTPUT_MATERIAL')
        tree.links.new(tree.nodes.new('ShaderNodeBsdfDiffuse').outputs[0], output.inputs['Surface'])
    if scene.world and scene.world.use_nodes:
        scene.world.node_tree.nodes.clear()
    scene.cycles.max_bounces = 0
    if pixel_centres:
        scene.cycles.filter_width, scene.cycles.samples = .01, 1
        scene.camera.data.dof.use_dof = False


def render(path, rows=None, columns=None, full_float=False):
    """Renders all or a part (`rows` and `columns` are pixel ranges, y down) to a multilayer EXR.

    The file appears under its name only when it is complete, so that an interrupted run can go on where it stopped.
    """
    scene = bpy.context.scene
    settings = scene.render
    width, height = settings.resolution_x, settings.resolution_y
    settings.image_settings.file_format = 'OPEN_EXR_MULTILAYER'
    settings.image_settings.color_depth = '32' if full_float else '16'
    settings.image_settings.exr_codec = 'ZIP'
    settings.use_border = settings.use_crop_to_border = True
    top, bottom = rows or (0, height)
    left, right = columns or (0, width)
    # a quarter of a pixel inwards, so that rounding cannot add or lose a row
    settings.border_min_y, settings.border_max_y = (height - bottom + .25) / height, min(1, (height - top + .25) / height)
    settings.border_min_x, settings.border_max_x = (left + .25) / width, min(1, (right + .25) / width)
    partial = path[:-len('.exr')] + '.part.exr'
    settings.filepath = partial
    bpy.ops.render.render(write_still=True)
    os.replace(partial, path)
