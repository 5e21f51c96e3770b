"""From Blender's passes to a template bundle. Runs with Debian's python3 (numpy, scipy, cv2, PIL), outside Blender."""
