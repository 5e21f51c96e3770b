"""Other programs that can place artwork into a scene, as a careful user calls them, each on one thread.

Started by peers.ts with a folder that holds job.json, the artwork and scene.png. Every line on standard input names a task; the answer is a line of JSON
with the CPU milliseconds (user and system) that it took. OpenCV runs in this process. ImageMagick and libvips run as commands; what starting one
costs is measured by `start ...` tasks, for the caller to take off.
"""
import json
import os
import resource
import subprocess
import sys

sys.dont_write_bytecode = True
from magick import find_magick

folder = sys.argv[1]
with open(os.path.join(folder, "job.json")) as file:
    job = json.load(file)
artwork_file = os.path.join(folder, job["artworkFile"])
scene_file = os.path.join(folder, "scene.png")
left, top, width, height = job["region"]
os.environ.update(MAGICK_THREAD_LIMIT="1", OMP_NUM_THREADS="1", VIPS_CONCURRENCY="1")


def cpu_ms(who):
    usage = resource.getrusage(who)
    return (usage.ru_utime + usage.ru_stime) * 1000


def in_process(work):
    before = cpu_ms(resource.RUSAGE_SELF)
    work()
    return cpu_ms(resource.RUSAGE_SELF) - before


def command(*words):
    before = cpu_ms(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, cwd=folder, stdout=subprocess.DEVNULL)
    return cpu_ms(resource.RUSAGE_CHILDREN) - before


def path(name):
    return os.path.join(folder, name)


tasks = {}
versions = {}

try:
    import cv2
    import numpy

    cv2.setNumThreads(1)
    versions["opencv"] = cv2.__version__
    cv_scene = cv2.imread(scene_file, cv2.IMREAD_COLOR)

    def cv_flatten(picture):
        # Over white, which multiplies the scene as clear artwork does. At full size: INTER_AREA knows no alpha.
        alpha = cv2.cvtColor(picture[:, :, 3], cv2.COLOR_GRAY2BGR)
        return cv2.add(cv2.multiply(picture[:, :, :3], alpha, scale=1 / 255), cv2.bitwise_not(alpha))

    def cv_read():
        if job["hasAlpha"]:
            return cv_flatten(cv2.imread(artwork_file, cv2.IMREAD_UNCHANGED))
        # At the artwork's half where that is still 1.25 times as large as the frame, then with INTER_AREA to that size.
        reduced = min(job["artworkWidth"] // 2, job["artworkHeight"] // 2) >= 1.25 * min(width, height)
        return cv2.imread(artwork_file, cv2.IMREAD_REDUCED_COLOR_2 if reduced else cv2.IMREAD_COLOR)

    def cv_decode():
        picture = cv_read()
        size = (round(1.25 * width), round(1.25 * width * job["artworkHeight"] / job["artworkWidth"]))
        if size[0] >= picture.shape[1]:
            return picture
        return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)

    def cv_place(picture, interpolation):
        # Only the frame's rectangle; white beside the artwork leaves the scene as it is under multiply. Centres of pixels are whole numbers here.
        h, w = picture.shape[:2]
        source = numpy.float32([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]])
        target = numpy.float32([[x - left - 0.5, y - top - 0.5] for x, y in job["quad"]])
        matrix = cv2.getPerspectiveTransform(source, target)
        warped = cv2.warpPerspective(
            picture, matrix, (width, height), flags=interpolation, borderMode=cv2.BORDER_CONSTANT, borderValue=(255, 255, 255)
        )
        out = cv_scene.copy()
        part = out[top : top + height, left : left + width]
        cv2.multiply(part, warped, dst=part, scale=1 / 255)
        cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, job["quality"], cv2.IMWRITE_JPEG_OPTIMIZE, 1])

    decoded = cv_decode()
    for name, flag in (("linear", cv2.INTER_LINEAR), ("cubic", cv2.INTER_CUBIC)):
        tasks[f"OpenCV {name}, cold"] = lambda flag=flag: in_process(lambda: cv_place(cv_decode(), flag))
        tasks[f"OpenCV {name}, artwork decoded"] = lambda flag=flag: in_process(lambda: cv_place(decoded, flag))
except ImportError:
    pass


magick, magick_version = find_magick()
if magick:
    versions["imagemagick"] = magick_version
    # The scene in ImageMagick's own format, which is read without decoding.
    subprocess.run([magick, scene_file, path("scene.mpc")], check=True)
    w, h = job["artworkWidth"], job["artworkHeight"]
    corners = [(0, 0), (w, 0), (w, h), (0, h)]
    points = "  ".join(f"{a},{b} {x},{y}" for (a, b), (x, y) in zip(corners, job["quad"]))
    tasks["ImageMagick EWA, cold"] = lambda: command(
        magick, path("scene.mpc"),
        "(", artwork_file, "-virtual-pixel", "white", "-define", f"distort:viewport={width}x{height}+{left}+{top}",
        "-distort", "Perspective", points, ")",
        "-compose", "multiply", "-composite", "-quality", str(job["quality"]), path("magick.jpg"),
    )
    tasks["start ImageMagick"] = lambda: command(magick, "-size", "1x1", "xc:black", "null:")

try:
    versions["libvips"] = subprocess.run(["vips", "--version"], capture_output=True, text=True).stdout.strip().split("-")[1]
    size = (round(1.4 * width), round(1.4 * width * job["artworkHeight"] / job["artworkWidth"]))
    shrink = ["vips", "thumbnail", artwork_file, path("small.v"), str(size[0]), "--height", str(size[1]), "--size", "force"]
    subprocess.run(shrink, check=True)
    # Where each pixel lies on the reduced artwork, two floats a pixel, with pixel centres at whole numbers.
    import struct

    m = job["matrix"]
    rows = []
    for y in range(top, top + height):
        row = []
        for x in range(left, left + width):
            w = m[6] * (x + 0.5) + m[7] * (y + 0.5) + m[8]
            row.append((m[0] * (x + 0.5) + m[1] * (y + 0.5) + m[2]) / w * size[0] - 0.5)
            row.append((m[3] * (x + 0.5) + m[4] * (y + 0.5) + m[5]) / w * size[1] - 0.5)
        rows.append(struct.pack(f"{len(row)}f", *row))
    with open(path("map.raw"), "wb") as file:
        file.write(b"".join(rows))
    subprocess.run(
        ["vips", "rawload", path("map.raw"), path("map.v"), str(width), str(height), "2", "--format", "float"], check=True
    )
    tasks["libvips mapim, the warp alone"] = lambda: command(
        "vips", "mapim", path("small.v"), path("warped.v"), path("map.v"), "--interpolate", "bicubic"
    )
    tasks["start libvips"] = lambda: command("vips", "copy", path("one.v"), path("two.v"))
    subprocess.run(["vips", "black", path("one.v"), "1", "1"], check=True)
except (OSError, IndexError, subprocess.CalledProcessError):
    tasks.pop("start libvips", None)

print(json.dumps({"tasks": list(tasks), "versions": versions}), flush=True)
for line in sys.stdin:
    print(json.dumps({"cpuMs": tasks[line.strip()]()}), flush=True)
