"""Denoises a pair of half-budget renders: light passes are filtered, surface colors are not, so textures stay crisp."""

import ctypes
import os
import subprocess
import tempfile

import cv2
import numpy as np

LIGHTS = {  # Cycles keeps light and surface color apart; their product is what the camera sees
    'diffuse': (('DiffDir', 'DiffInd'), 'DiffCol'),
    'gloss': (('GlossDir', 'GlossInd'), 'GlossCol'),
    'transmission': (('TransDir', 'TransInd'), 'TransCol'),
}
# One unit of feature distance: how different two pixels may be before they stop sharing light.
NORMAL_STEP, ALBEDO_STEP, DEPTH_STEP, COVERAGE_STEP = .22, .10, .02, .15
BAND_ROWS, BAND_MARGIN = 700, 12  # whole pictures are filtered in bands, so that memory stays small


def load_kernel():
    """Compiles nlm.c beside the temporary files (once per machine and source) and loads it."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'nlm.c')
    library = os.path.join(tempfile.gettempdir(), 'vitrine-nlm-%d-%d.so' % (os.getuid(), os.stat(source).st_mtime))
    if not os.path.exists(library):
        building = library + '.%d' % os.getpid()
        subprocess.run(['gcc', '-O3', '-march=native', '-ffast-math', '-shared', '-fPIC', source, '-o', building, '-lm'], check=True)
        os.replace(building, library)
    kernel = ctypes.CDLL(library).nlm
    floats = np.ctypeslib.ndpointer(np.float32, flags='C')
    kernel.argtypes = [floats] * 4 + [ctypes.c_int] * 5 + [ctypes.c_float, floats, floats]
    return kernel


def filter_pair(kernel, a, b, features, radius=7, patch=3, strength=.7):
    """Joint non-local means of two halves (height x width x 3); returns their filtered mean."""
    mean = (a + b) / 2
    local = cv2.blur(mean, (7, 7))
    spread = np.sqrt(np.maximum(cv2.blur(mean ** 2, (7, 7)) - local * local, 0))
    ceiling = local + 4 * spread + 1e-3  # fireflies
    a, b = np.minimum(a, ceiling), np.minimum(b, ceiling)
    variance = cv2.GaussianBlur((a - b) ** 2 / 2, (0, 0), 2)
    a, b, variance, features = (np.ascontiguousarray(x, np.float32) for x in (a, b, variance, features))
    height, width = a.shape[:2]
    out_a, out_b = np.empty_like(a), np.empty_like(b)
    kernel(a, b, variance, features, features.shape[2], width, height, radius, patch, strength ** 2, out_a, out_b)
    return (out_a + out_b) / 2


def feature_planes(first, second, coverage):
    """Normal, albedo, depth and frame coverage, scaled to steps; blurred away where the halves disagree (depth of field)."""
    def mean(name):
        return (first[name] + second[name]) / 2

    depth = mean('Denoising Depth')
    depth = np.minimum(depth, np.percentile(depth, 99.9))  # the sky is infinitely far
    depth = depth / max(float(np.median(depth)), 1e-6)
    planes = [mean('Denoising Normal') / NORMAL_STEP, mean('Denoising Albedo') / ALBEDO_STEP, depth[..., None] / DEPTH_STEP,
              coverage[..., None] / COVERAGE_STEP]
    features = np.concatenate(planes, 2).astype(np.float32)
    disagreement = np.concatenate([(first['Denoising Normal'] - second['Denoising Normal']) / NORMAL_STEP,
                                   (first['Denoising Albedo'] - second['Denoising Albedo']) / ALBEDO_STEP], 2)
    noise = cv2.GaussianBlur((disagreement ** 2).max(2) / 4, (0, 0), 2)
    return features / np.sqrt(1 + 2 * noise)[..., None]


def denoise(first, second, coverage):
    """Two sets of passes (same scene, different seeds) -> {'diffuse', 'gloss', 'transmission', 'other'}: pairs (clean, noisy) of light."""
    kernel = load_kernel()
    features = feature_planes(first, second, coverage)
    height = features.shape[0]
    result = {}
    for name, (parts, color_name) in LIGHTS.items():
        a = sum(first[part] for part in parts)
        b = sum(second[part] for part in parts)
        color = (first[color_name] + second[color_name]) / 2
        noisy = (a * first[color_name] + b * second[color_name]) / 2
        if max(a.max(), b.max()) <= 0:
            result[name] = (np.zeros_like(a), noisy)
            continue
        clean = np.empty_like(a)
        for top in range(0, height, BAND_ROWS):
            bottom = min(height, top + BAND_ROWS)
            low, high = max(0, top - BAND_MARGIN), min(height, bottom + BAND_MARGIN)
            band = filter_pair(kernel, a[low:high], b[low:high], features[low:high])
            clean[top:bottom] = band[top - low:bottom - low]
        result[name] = (clean * color, noisy)
    other = sum(first[name] + second[name] for name in ('Emit', 'Env') if name in first) / 2
    result['other'] = (other, other)
    return result
