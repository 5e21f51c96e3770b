"""Runs a cloth simulation inside Blender; the simulate_*.py scripts store what it gives."""

import bpy
import numpy as np


def points_after(frames, thing, cloth):
    """The places of the points of `thing` after the first `frames` frames of its modifier `cloth`, as (n, 3) float32."""
    cloth.point_cache.frame_end = bpy.context.scene.frame_end = frames
    for frame in range(1, frames + 1):
        bpy.context.scene.frame_set(frame)
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(len(thing.data.vertices) * 3, np.float32)
    evaluated.data.vertices.foreach_get('co', points)
    return points.reshape(-1, 3)
