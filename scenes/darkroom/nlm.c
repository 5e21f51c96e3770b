/* Dual-buffer joint non-local means, after Rousselle, Knaus and Zwicker, "Adaptive Rendering with Non-Local Means Filtering" (2012).
 *
 * Two half-budget renders A and B of the same picture: A is averaged with weights taken from B and the other way round, so that the
 * weights know nothing of the noise that they average. Feature distance (normal, albedo, depth, coverage) keeps edges sharp.
 *
 * gcc -O3 -march=native -ffast-math -shared -fPIC nlm.c -o nlm.so -lm
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int x0, x1, y0, y1; } Span;

static float larger(float a, float b) { return a > b ? a : b; }
static float smaller(float a, float b) { return a < b ? a : b; }

/* e^x for x <= 0 with about 1e-3 relative error: (1 + x/256)^256. */
static float fast_exp(float x) {
  if (x < -20.f) return 0.f;
  float y = larger(1.f + x / 256.f, 0.f);
  for (int i = 0; i < 8; i++) y *= y;
  return y;
}

/* Patches are hopelessly unlike long before this (e^-20 counts as 0); running sums of larger numbers would lose what comes after. */
#define UNLIKE 1e4f

/* Variance-cancelled squared distance of every pixel to its neighbour (dx, dy). */
static void pixel_distances(const float *image, const float *variance, int width, Span s, int dx, int dy, float k2, float *out) {
  for (int y = s.y0; y < s.y1; y++) {
    size_t here = (size_t)y * width + s.x0, there = (size_t)(y + dy) * width + s.x0 + dx;
    for (int x = 0; x < s.x1 - s.x0; x++) {
      float sum = 0;
      for (int c = 0; c < 3; c++) {
        float e = image[3 * (here + x) + c] - image[3 * (there + x) + c];
        float v = variance[3 * (here + x) + c], w = variance[3 * (there + x) + c];
        sum += (e * e - (v + smaller(v, w))) / (1e-7f + k2 * (v + w));
      }
      out[here + x] = smaller(sum / 3, UNLIKE);
    }
  }
}

/* Box mean of radius f inside the span, with running sums: rows into scratch, then columns back. */
static void box_mean(float *plane, float *scratch, float *column, int width, Span s, int f) {
  for (int y = s.y0; y < s.y1; y++) {
    const float *in = plane + (size_t)y * width;
    float *out = scratch + (size_t)y * width, sum = 0;
    int n = 0;
    for (int x = s.x0; x < s.x0 + f && x < s.x1; x++) { sum += in[x]; n++; }
    for (int x = s.x0; x < s.x1; x++) {
      if (x + f < s.x1) { sum += in[x + f]; n++; }
      if (x - f - 1 >= s.x0) { sum -= in[x - f - 1]; n--; }
      out[x] = sum / n;
    }
  }
  memset(column, 0, sizeof(float) * width);
  int n = 0;
  for (int y = s.y0; y < s.y0 + f && y < s.y1; y++) {
    for (int x = s.x0; x < s.x1; x++) column[x] += scratch[(size_t)y * width + x];
    n++;
  }
  for (int y = s.y0; y < s.y1; y++) {
    if (y + f < s.y1) { for (int x = s.x0; x < s.x1; x++) column[x] += scratch[(size_t)(y + f) * width + x]; n++; }
    if (y - f - 1 >= s.y0) { for (int x = s.x0; x < s.x1; x++) column[x] -= scratch[(size_t)(y - f - 1) * width + x]; n--; }
    for (int x = s.x0; x < s.x1; x++) plane[(size_t)y * width + x] = column[x] / n;
  }
}

/* a, b: height*width*3 half buffers; variance: of each half; features: pre-scaled so that the squared difference is the exponent.
 * radius: search window; patch: patch radius; k2: squared filter strength. Results in out_a, out_b; their mean is the picture. */
void nlm(const float *a, const float *b, const float *variance, const float *features, int feature_count, int width, int height,
         int radius, int patch, float k2, float *out_a, float *out_b) {
  size_t count = (size_t)width * height;
  float *distance_a = malloc(count * sizeof(float)), *distance_b = malloc(count * sizeof(float));
  float *scratch = malloc(count * sizeof(float)), *column = malloc(width * sizeof(float));
  float *weight_a = calloc(count, sizeof(float)), *weight_b = calloc(count, sizeof(float));
  memset(out_a, 0, count * 3 * sizeof(float));
  memset(out_b, 0, count * 3 * sizeof(float));
  for (int dy = -radius; dy <= radius; dy++) for (int dx = -radius; dx <= radius; dx++) {
    Span s = { dx < 0 ? -dx : 0, dx > 0 ? width - dx : width, dy < 0 ? -dy : 0, dy > 0 ? height - dy : height };
    pixel_distances(a, variance, width, s, dx, dy, k2, distance_a);
    box_mean(distance_a, scratch, column, width, s, patch);
    pixel_distances(b, variance, width, s, dx, dy, k2, distance_b);
    box_mean(distance_b, scratch, column, width, s, patch);
    for (int y = s.y0; y < s.y1; y++) {
      size_t here = (size_t)y * width + s.x0, there = (size_t)(y + dy) * width + s.x0 + dx;
      for (int x = s.x0; x < s.x1; x++, here++, there++) {
        float apart = 0;
        for (int c = 0; c < feature_count; c++) {
          float e = features[here * feature_count + c] - features[there * feature_count + c];
          apart = larger(apart, e * e);
        }
        float alike = fast_exp(-apart);
        float wa = alike * fast_exp(-larger(0, distance_b[here])), wb = alike * fast_exp(-larger(0, distance_a[here]));
        weight_a[here] += wa;
        weight_b[here] += wb;
        for (int c = 0; c < 3; c++) { out_a[3 * here + c] += wa * a[3 * there + c]; out_b[3 * here + c] += wb * b[3 * there + c]; }
      }
    }
  }
  for (size_t i = 0; i < count; i++) for (int c = 0; c < 3; c++) {
    out_a[3 * i + c] /= larger(weight_a[i], 1e-9f);
    out_b[3 * i + c] /= larger(weight_b[i], 1e-9f);
  }
  free(distance_a); free(distance_b); free(scratch); free(column); free(weight_a); free(weight_b);
}
