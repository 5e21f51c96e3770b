"""A small photo studio for Blender: materials, furniture, light, camera and the passes that a template needs.

Runs inside Blender 3.4 (`blender -b --python scenes/shoot.py -- ...`). Lengths are metres, z is up, walls stand at y = 0 and face -y.
"""
