"""Other programs drawing a case of the fidelity report, as a careful user calls them.

    python3 peers.py FOLDER

FOLDER holds job.json, artwork.ppm, map.f32 (u and v, two floats for each pixel of the region, at pixel centres) and, for a frame that follows a map, coverage.png.
Every picture goes into FOLDER as PNG of the region. The last line on standard output is JSON: the pictures, the versions of the programs, and the
programs that are missing. Artwork is reduced beforehand to several densities: how many of its pixels for one of the scene's where the frame is densest.
"""
import json
import os
import subprocess
import sys

import cv2
import numpy

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "bench", "peers"))
from magick import find_magick

DENSITIES = (1, 1.25, 1.6, 2)
FINE = 8

folder = sys.argv[1]
with open(os.path.join(folder, "job.json")) as file:
    job = json.load(file)
left, top, width, height = job["region"]
# Where the artwork lies (its first copy, where it repeats), and the frame; both null for a map.
quad, frame_quad = job["quad"], job["frameQuad"]
repeats = job["repeats"]
beyond = cv2.BORDER_WRAP if repeats else cv2.BORDER_REPLICATE
background = numpy.array(job["background"], numpy.float32)
pictures, versions, missing = [], {"OpenCV": cv2.__version__}, []


def path(name):
    return os.path.join(folder, name)


def keep(program, settings, picture):
    """Writes a picture (RGB, floats or bytes) of the region."""
    name = "picture-%d.png" % len(pictures)
    rounded = numpy.clip(numpy.rint(picture), 0, 255).astype(numpy.uint8)
    cv2.imwrite(path(name), cv2.cvtColor(rounded, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 1])
    pictures.append({"program": program, "settings": settings, "file": name})


def sizes():
    """The sizes to which artwork is reduced, each once: never more than it has."""
    found = {}
    for density in DENSITIES:
        size = tuple(min(whole, int(numpy.ceil(density * needed))) for whole, needed in zip(job["artwork"], job["density"]))
        found.setdefault(size, "reduced to %g times the density" % density if size != tuple(job["artwork"]) else "artwork as it is")
    return found.items()


def average(fine):
    return cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA).astype(numpy.float32)[..., None] / 255


def fine_quad(corners):
    """What lies inside a quad: a white square warped to a scene 8 times as large. (fillConvexPoly takes the boundary in: 5 % too much.)"""
    white = numpy.full((1024, 1024), 255, numpy.uint8)
    source = numpy.float32([[-.5, -.5], [1023.5, -.5], [1023.5, 1023.5], [-.5, 1023.5]])
    target = numpy.float32([[(x - left) * FINE - .5, (y - top) * FINE - .5] for x, y in corners])
    return cv2.warpPerspective(white, cv2.getPerspectiveTransform(source, target), (width * FINE, height * FINE), flags=cv2.INTER_NEAREST)


def fine_artwork():
    """What lies on the artwork by the map, 8 times as large, between its positions linearly."""
    fine = cv2.resize(positions, (width * FINE, height * FINE), interpolation=cv2.INTER_LINEAR)
    return (((fine >= 0) & (fine <= 1)).all(axis=2) * 255).astype(numpy.uint8)


def find_coverage():
    """The share of each pixel in the frame, and on the artwork where that ends inside the frame."""
    has_edges = job["isPlaced"] and not repeats
    if quad:
        return average(cv2.min(fine_quad(frame_quad), fine_quad(quad)) if has_edges else fine_quad(frame_quad))
    in_frame = cv2.imread(path("coverage.png"), cv2.IMREAD_GRAYSCALE).astype(numpy.float32)[..., None] / 255
    return in_frame * average(fine_artwork()) if has_edges else in_frame


def over(picture, coverage):
    return background + (picture.astype(numpy.float32) - background) * coverage


artwork = cv2.cvtColor(cv2.imread(path("artwork.ppm"), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
positions = numpy.fromfile(path("map.f32"), numpy.float32).reshape(height, width, 2)
coverage = find_coverage()
for size, settings in sizes():
    reduced = artwork if size == tuple(job["artwork"]) else cv2.resize(artwork, size, interpolation=cv2.INTER_AREA)
    w, h = size
    for name, flag in (("linear", cv2.INTER_LINEAR), ("cubic", cv2.INTER_CUBIC), ("Lanczos4", cv2.INTER_LANCZOS4)):
        if quad:
            # Centres of pixels are whole numbers here.
            source = numpy.float32([[-.5, -.5], [w - .5, -.5], [w - .5, h - .5], [-.5, h - .5]])
            target = numpy.float32([[x - left - .5, y - top - .5] for x, y in quad])
            matrix = cv2.getPerspectiveTransform(source, target)
            drawn = cv2.warpPerspective(reduced, matrix, (width, height), flags=flag, borderMode=beyond)
        else:
            at = positions * numpy.float32([w, h]) - numpy.float32(.5)
            drawn = cv2.remap(reduced, at, None, flag, borderMode=beyond)
        keep("OpenCV " + name, settings, over(drawn, coverage))
del artwork


magick, magick_version = find_magick()
if magick is None:
    missing.append("ImageMagick")
else:
    versions["ImageMagick"] = magick_version
if magick is not None and quad:
    w, h = job["artwork"]
    points = "  ".join("%g,%g %r,%r" % (a, b, x, y) for (a, b), (x, y) in zip([(0, 0), (w, 0), (w, h), (0, h)], quad))
    for settings, words in (("default filter", []), ("-filter Lanczos", ["-filter", "Lanczos"])):
        subprocess.run(
            [magick, path("artwork.ppm"), "-alpha", "set", "-virtual-pixel", "tile" if repeats else "transparent", *words,
             "-define", "distort:viewport=%dx%d+%d+%d" % (width, height, left, top), "-distort", "Perspective", points,
             "+repage", "-background", "rgb(%d,%d,%d)" % tuple(job["background"]), "-compose", "over", "-flatten", "-depth", "8", path("magick.png")],
            check=True,
        )
        drawn = cv2.cvtColor(cv2.imread(path("magick.png"), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
        keep("ImageMagick EWA", settings, over(drawn, average(fine_quad(frame_quad))) if job["isPlaced"] else drawn)


def vips(*words):
    subprocess.run(["vips", *words], check=True, stdout=subprocess.DEVNULL)


try:
    versions["libvips"] = subprocess.run(["vips", "--version"], capture_output=True, text=True).stdout.strip().split("-")[1]
except (OSError, IndexError):
    missing.append("libvips")
else:
    for size, settings in sizes():
        w, h = size
        (positions * numpy.float32([w, h]) - numpy.float32(.5)).tofile(path("at.raw"))
        vips("rawload", path("at.raw"), path("at.v"), str(width), str(height), "2", "--format", "float")
        if size == tuple(job["artwork"]):
            vips("copy", path("artwork.ppm"), path("small.v"))
        else:
            vips("thumbnail", path("artwork.ppm"), path("small.v"), str(w), "--height", str(h), "--size", "force")
        vips("mapim", path("small.v"), path("drawn.png"), path("at.v"), "--interpolate", "bicubic", "--extend", "repeat" if repeats else "copy")
        drawn = cv2.cvtColor(cv2.imread(path("drawn.png"), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
        keep("libvips mapim bicubic", settings, over(drawn, coverage))

print(json.dumps({"pictures": pictures, "versions": versions, "missing": missing}))
