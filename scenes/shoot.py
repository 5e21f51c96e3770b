"""Runs inside Blender: builds a set and renders the jobs of a job file that are not on disk yet.

    blender -b -t 1 --factory-startup --python scenes/shoot.py -- job.json

make_template.py writes the job file:
  {"set": "oak_frame_portrait" (or "blend": "my-scene.blend"), "width": 2400, "threads": 1, "artworks": {"F1": "art.png"}, "description": "description.json",
   "jobs": [{"kind": "beauty", "seed": 1, "samples": 8, "rows": [0, 500], "path": "a-0.exr"},
            {"kind": "coverage", "samples": 64, "rows": [90, 700], "columns": [80, 512], "path": "coverage.exr"}, {"kind": "map", "path": "map.exr"}]}
Kinds: beauty (light, color and guide passes), coverage (how much of each pixel a frame covers), map (artwork coordinates at the
pixel centres of a picture of half the size). Data jobs strip the scene of light and materials, so beauty jobs come first and the map builds the set afresh.
"""

import importlib
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bpy  # noqa: E402

from studio import own_scene, stage  # noqa: E402


def build(job_file, scale=1.0):
    """Builds the set or opens the designer's file; returns (template facts, shot)."""
    if job_file.get('blend'):
        facts, shot = own_scene.open_scene(job_file['blend'], round(job_file['width'] * scale), job_file.get('artworks'), job_file.get('dyes'))
        return {**job_file['facts'], **facts}, shot
    module = importlib.import_module('sets.' + job_file['set'])
    facts = module.TEMPLATE
    width = round(job_file['width'] * scale)
    height = round(width / facts['picture_ratio'] / 2) * 2 if scale == 1 else round(job_file['width'] / facts['picture_ratio'] / 2)
    stage.clear()
    bpy.context.preferences.edit.use_global_undo = False
    shot = stage.Shot(width, height, facts.get('seed', 1), job_file.get('artworks'), job_file.get('dyes'))
    module.build(shot)
    return facts, shot


def write_description(path, facts, shot):
    description = {key: facts[key] for key in ('id', 'name', 'category', 'type', 'surface_type', 'render_mode')}
    description.update(width=shot.width, height=shot.height, frames=shot.describe_frames(), colors=shot.colors, notes=facts.get('notes', []))
    with open(path, 'w') as file:
        json.dump(description, file, indent=1)


def run(job_file):
    jobs = [job for job in job_file['jobs'] if not os.path.exists(job['path'])]
    facts, shot = build(job_file)
    write_description(job_file['description'], facts, shot)
    for kind in ('beauty', 'coverage', 'map'):
        pending = [job for job in jobs if job['kind'] == kind]
        if pending and kind == 'map':
            build(job_file, scale=.5)
        for job in pending:
            stage.set_quality(job.get('samples', 1), job.get('seed', 0), job_file.get('threads', 1), keep_bounces='blend' in job_file)
            stage.want_passes(beauty=kind == 'beauty')
            if kind != 'beauty':
                stage.switch_to_data(pixel_centres=kind == 'map')
            started = time.time()
            stage.render(job['path'], job.get('rows'), job.get('columns'), full_float=kind == 'map')
            print('SHOT %s %.0f s' % (os.path.basename(job['path']), time.time() - started), flush=True)


if __name__ == '__main__':
    with open(sys.argv[sys.argv.index('--') + 1]) as opened:
        jobs_to_do = json.load(opened)
    try:
        run(jobs_to_do)
    except own_scene.OwnSceneError as error:
        print('VITRINE ERROR ' + str(error), flush=True)
        sys.exit(1)
