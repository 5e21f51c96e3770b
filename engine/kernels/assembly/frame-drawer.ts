// Draws one row of a frame: where each pixel lies on the artwork, its 4 x 4 texels weighted, then blended or lit into the scene.
//
// The plain TypeScript (engine/src/sampling/sample-chunk.ts, blending/blend-chunk.ts, lighting/light-chunk.ts) defines every result and this file equals it
// bit by bit: positions in 64-bit floats by the same operations in the same order, filters in whole numbers.
// Three short loops over a chunk of at most 256 pixels through a scratch that stays in the first-level cache beat one fused loop by a fifth to a third.
//
// The caller owns all memory and lays out the block at F (offsets below) and the textures behind it. Every region ends in at least 64 readable bytes.
// Texture texels are premultiplied RGBA; a chunk record is 64 bytes:
//    0 first pixel within the row (u32)        4 length in pixels (u32)
//    8 address of the texel before the level's padding would put position (0, 0)'s first tap (u32)     12 bytes of a level's row (u32)
//   16 weights across (address)               20 weights down (address)
//   24 level's width in texels (u32)          28 level's height (u32)
//   32 scaleU   40 offsetU   48 scaleV   56 offsetV  (f64, in texels of the level)

const PHASE_BITS: i32 = 7;
const TEXTURE_PAD: f64 = 4;

// Scratch, relative to the block: 256 entries each.
const TEXEL: usize = 0;
const WEIGHT_X: usize = 1024 + 64;
const WEIGHT_Y: usize = 2048 + 128;
const COLOR: usize = 3072 + 192;

/** First byte of memory that the module itself does not use. */
export function heapBase(): usize {
  return __heap_base;
}

/** Where a chunk's sampled colours are, from the block on: premultiplied RGBA. */
export function colorOffset(): usize {
  return COLOR;
}

// Keeps the loads that fetch texels ahead from being optimised away.
let fetched: u32 = 0;
export function fetchedBytes(): u32 {
  return fetched;
}

// ---- positions ----

// Position in texels -> fixed point with 7 bits of fraction from the padding on; NaN and infinities clamp too.
// @ts-ignore: decorator
@inline function toFixed(position: v128, end: v128): v128 {
  const clamped = f64x2.pmin(end, f64x2.pmax(f64x2.splat(-2), position));
  const fixed = f64x2.add(f64x2.mul(f64x2.add(clamped, f64x2.splat(TEXTURE_PAD - 0.5)), f64x2.splat(128)), f64x2.splat(0.5));
  return i32x4.trunc_sat_f64x2_s_zero(fixed);
}

// @ts-ignore: decorator
@inline function storePositions(p: usize, x: v128, y: v128, first: v128, stride: v128, weightsX: v128, weightsY: v128): void {
  const phase = i32x4.splat(127);
  const texel = i32x4.add(i32x4.mul(i32x4.shr_s(y, PHASE_BITS), stride), i32x4.shl(i32x4.shr_s(x, PHASE_BITS), 2));
  v128.store(p + TEXEL, i32x4.add(texel, first));
  v128.store(p + WEIGHT_X, i32x4.add(i32x4.shl(v128.and(x, phase), 3), weightsX));
  v128.store(p + WEIGHT_Y, i32x4.add(i32x4.shl(v128.and(y, phase), 3), weightsY));
}

// @ts-ignore: decorator
@inline function pack(low: v128, high: v128): v128 {
  return i32x4.shuffle(low, high, 0, 1, 4, 5);
}

/** By a matrix (f64[9] at `matrix`), for pixels at px + 0, 1, 2, ... of the row at py. */
function locateByMatrix(block: usize, chunk: usize, matrix: usize, px: f64, py: f64): void {
  const length = <usize>load<u32>(chunk, 4);
  const m0 = f64x2.splat(load<f64>(matrix)), m3 = f64x2.splat(load<f64>(matrix, 24)), m6 = f64x2.splat(load<f64>(matrix, 48));
  const constantU = f64x2.splat(load<f64>(matrix, 8) * py + load<f64>(matrix, 16));
  const constantV = f64x2.splat(load<f64>(matrix, 32) * py + load<f64>(matrix, 40));
  const constantW = f64x2.splat(load<f64>(matrix, 56) * py + load<f64>(matrix, 64));
  const scaleU = v128.load64_splat(chunk, 32), offsetU = v128.load64_splat(chunk, 40);
  const scaleV = v128.load64_splat(chunk, 48), offsetV = v128.load64_splat(chunk, 56);
  const endU = f64x2.splat(<f64>load<u32>(chunk, 24) + 2), endV = f64x2.splat(<f64>load<u32>(chunk, 28) + 2);
  const first = v128.load32_splat(chunk, 8), stride = v128.load32_splat(chunk, 12);
  const weightsX = v128.load32_splat(chunk, 16), weightsY = v128.load32_splat(chunk, 20);
  const one = f64x2.splat(1), two = f64x2.splat(2);
  let x = f64x2(px, px + 1);
  const end = block + (length << 2);
  for (let p = block; p < end; p += 16) {
    const wLow = f64x2.div(one, f64x2.add(f64x2.mul(m6, x), constantW));
    const uLow = f64x2.add(f64x2.mul(f64x2.mul(f64x2.add(f64x2.mul(m0, x), constantU), wLow), scaleU), offsetU);
    const vLow = f64x2.add(f64x2.mul(f64x2.mul(f64x2.add(f64x2.mul(m3, x), constantV), wLow), scaleV), offsetV);
    x = f64x2.add(x, two);
    const wHigh = f64x2.div(one, f64x2.add(f64x2.mul(m6, x), constantW));
    const uHigh = f64x2.add(f64x2.mul(f64x2.mul(f64x2.add(f64x2.mul(m0, x), constantU), wHigh), scaleU), offsetU);
    const vHigh = f64x2.add(f64x2.mul(f64x2.mul(f64x2.add(f64x2.mul(m3, x), constantV), wHigh), scaleV), offsetV);
    x = f64x2.add(x, two);
    storePositions(
      p,
      pack(toFixed(uLow, endU), toFixed(uHigh, endU)),
      pack(toFixed(vLow, endV), toFixed(vHigh, endV)),
      first, stride, weightsX, weightsY,
    );
  }
}

// @ts-ignore: decorator
@inline function scaleFloats(values: v128, scale: v128, offset: v128): v128 {
  return f64x2.add(f64x2.mul(f64x2.promote_low_f32x4(values), scale), offset);
}

// @ts-ignore: decorator
@inline function upper(values: v128): v128 {
  return i32x4.shuffle(values, values, 2, 3, 2, 3);
}

/** By a u and a v (f32) per pixel. */
function locateByGrid(block: usize, chunk: usize, u: usize, v: usize): void {
  const length = <usize>load<u32>(chunk, 4);
  const scaleU = v128.load64_splat(chunk, 32), offsetU = v128.load64_splat(chunk, 40);
  const scaleV = v128.load64_splat(chunk, 48), offsetV = v128.load64_splat(chunk, 56);
  const endU = f64x2.splat(<f64>load<u32>(chunk, 24) + 2), endV = f64x2.splat(<f64>load<u32>(chunk, 28) + 2);
  const first = v128.load32_splat(chunk, 8), stride = v128.load32_splat(chunk, 12);
  const weightsX = v128.load32_splat(chunk, 16), weightsY = v128.load32_splat(chunk, 20);
  const end = block + (length << 2);
  for (let p = block; p < end; p += 16, u += 16, v += 16) {
    const us = v128.load(u), vs = v128.load(v);
    storePositions(
      p,
      pack(toFixed(scaleFloats(us, scaleU, offsetU), endU), toFixed(scaleFloats(upper(us), scaleU, offsetU), endU)),
      pack(toFixed(scaleFloats(vs, scaleV, offsetV), endV), toFixed(scaleFloats(upper(vs), scaleV, offsetV), endV)),
      first, stride, weightsX, weightsY,
    );
  }
}

// ---- filters ----

// Two rows of two texels, weighted: channels of the first texel, of the second.
// @ts-ignore: decorator
@inline function dotFirst(a: v128, b: v128, weights: v128): v128 {
  return i32x4.dot_i16x8_s(i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11), weights);
}
// @ts-ignore: decorator
@inline function dotSecond(a: v128, b: v128, weights: v128): v128 {
  return i32x4.dot_i16x8_s(i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15), weights);
}
// Two columns: four rows each, less 8 bits.
// @ts-ignore: decorator
@inline function columns(texel: usize, stride: usize, down01: v128, down23: v128): v128 {
  const below = texel + stride + stride;
  const r0 = v128.load_ext<u8>(texel), r1 = v128.load_ext<u8>(texel + stride);
  const r2 = v128.load_ext<u8>(below), r3 = v128.load_ext<u8>(below + stride);
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(dotFirst(r0, r1, down01), dotFirst(r2, r3, down23)), 8),
    i32x4.shr_s(i32x4.add(dotSecond(r0, r1, down01), dotSecond(r2, r3, down23)), 8),
  );
}
// @ts-ignore: decorator
@inline function across(pair: v128, weights: v128): v128 {
  const second = i32x4.shuffle(pair, pair, 2, 3, 2, 3);
  return i32x4.dot_i16x8_s(i16x8.shuffle(pair, second, 0, 8, 1, 9, 2, 10, 3, 11), weights);
}
// One pixel's four channels, rounded, as i32.
// @ts-ignore: decorator
@inline function filterPixel(p: usize, stride: usize): v128 {
  const texel = <usize>load<u32>(p, TEXEL), x = <usize>load<u32>(p, WEIGHT_X), y = <usize>load<u32>(p, WEIGHT_Y);
  const down01 = v128.load32_splat(y), down23 = v128.load32_splat(y, 4);
  const left = columns(texel, stride, down01, down23), right = columns(texel + 8, stride, down01, down23);
  const sum = i32x4.add(across(left, v128.load32_splat(x)), across(right, v128.load32_splat(x, 4)));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(1 << 19)), 20);
}

function filterChunk(block: usize, chunk: usize): void {
  const length = <usize>load<u32>(chunk, 4), stride = <usize>load<u32>(chunk, 12);
  const end = block + (length << 2);
  // Touching texels of rows to come, once in 8 pixels, saves a fifth to a quarter of a rotated frame.
  let ahead: u32 = 0;
  for (let p = block; p < end; p += 32) ahead |= load<u8>(<usize>load<u32>(p, TEXEL) + (stride << 2));
  fetched |= ahead;
  for (let p = block; p < end; p += 16) {
    const low = i16x8.narrow_i32x4_s(filterPixel(p, stride), filterPixel(p + 4, stride));
    const high = i16x8.narrow_i32x4_s(filterPixel(p + 8, stride), filterPixel(p + 12, stride));
    const bytes = i8x16.narrow_i16x8_u(low, high);
    // No channel may exceed alpha: the kernels overshoot.
    const alpha = i8x16.swizzle(bytes, i8x16(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
    v128.store(p + COLOR, i8x16.min_u(bytes, alpha));
  }
}

// ---- into the scene ----

// @ts-ignore: decorator
@inline function unmultiply(channel: u32, alpha: u32): u32 {
  return min<u32>(255, (channel * 255 + (alpha >> 1)) / alpha);
}

// @ts-ignore: decorator
@inline function mix(scene: usize, blended: i32, weight: i32): void {
  const back = <i32>load<u8>(scene);
  store<u8>(scene, <u8>(back + (((blended - back) * weight + 32768) >> 16)));
}

/** By a table of the mode: result at backdrop * 256 + source. `scale` makes coverage times alpha parts of 65536. */
function blendByTable(color: usize, length: usize, table: usize, scale: f64, coverage: usize, scene: usize): void {
  const end = color + (length << 2);
  const greatest = <i32>floor(<f64>65025 * scale + 0.5);
  for (; color < end; color += 4, coverage++, scene += 3) {
    const alpha = <u32>load<u8>(color, 3);
    const product = <u32>load<u8>(coverage) * alpha;
    if (product == 65025 && greatest == 65536) {
      // Nearly every pixel: nothing of the scene shows but through the mode.
      store<u8>(scene, load<u8>(table + (<usize>load<u8>(scene) << 8) + <usize>load<u8>(color)));
      store<u8>(scene, load<u8>(table + (<usize>load<u8>(scene, 1) << 8) + <usize>load<u8>(color, 1)), 1);
      store<u8>(scene, load<u8>(table + (<usize>load<u8>(scene, 2) << 8) + <usize>load<u8>(color, 2)), 2);
      continue;
    }
    const weight = <i32>floor(<f64>product * scale + 0.5);
    if (weight == 0) continue;
    let r = <u32>load<u8>(color), g = <u32>load<u8>(color, 1), b = <u32>load<u8>(color, 2);
    if (alpha < 255) {
      r = unmultiply(r, alpha);
      g = unmultiply(g, alpha);
      b = unmultiply(b, alpha);
    }
    mix(scene, <i32>load<u8>(table + (<usize>load<u8>(scene) << 8) + <usize>r), weight);
    mix(scene + 1, <i32>load<u8>(table + (<usize>load<u8>(scene, 1) << 8) + <usize>g), weight);
    mix(scene + 2, <i32>load<u8>(table + (<usize>load<u8>(scene, 2) << 8) + <usize>b), weight);
  }
}

// Light tables, from their start on: linear light of bytes f64[256], light of scene bytes f64[256], of shade bytes f64[256], of highlights
// bytes f64[256], the surface's light f64[3], the greatest step (i32), then bytes of light steps.
const SCENE_LIGHT: usize = 2048;
const SHADE_LIGHT: usize = 4096;
const HIGHLIGHTS_LIGHT: usize = 6144;
const SURFACE: usize = 8192;
const LAST_STEP: usize = 8216;
const BYTE_OF_STEP: usize = 8224;

// @ts-ignore: decorator
@inline function at(table: usize, byte: u32): f64 {
  return load<f64>(table + (<usize>byte << 3));
}

// @ts-ignore: decorator
@inline function lightChannel(
  tables: usize, channel: u32, alpha: u32, surface: f64, mask: f64, shade: usize, highlights: usize, scene: usize,
): void {
  let light = surface;
  if (alpha > 0) {
    if (alpha == 255) light = at(tables, channel);
    else {
      const share = <f64>alpha / 255;
      light = at(tables, unmultiply(channel, alpha)) * share + surface * (1 - share);
    }
  }
  light *= at(tables + SHADE_LIGHT, load<u8>(shade));
  if (highlights) light += at(tables + HIGHLIGHTS_LIGHT, load<u8>(highlights));
  light = at(tables + SCENE_LIGHT, load<u8>(scene)) + mask * light;
  const step = min<i32>(load<i32>(tables, LAST_STEP), <i32>floor(light * 65536 + 0.5));
  store<u8>(scene, load<u8>(tables + BYTE_OF_STEP + <usize>step));
}

/** out = T(T^-1(scene) + mask (shade albedo + highlights)); `highlights` 0 = none. */
function lightByTables(
  color: usize, length: usize, tables: usize, scale: f64, coverage: usize, shade: usize, highlights: usize, scene: usize,
): void {
  const end = color + (length << 2);
  const red = load<f64>(tables, SURFACE), green = load<f64>(tables, SURFACE + 8), blue = load<f64>(tables, SURFACE + 16);
  for (; color < end; color += 4, coverage++, shade += 3, scene += 3) {
    const mask = <f64>load<u8>(coverage) * scale;
    if (mask != 0) {
      const alpha = <u32>load<u8>(color, 3);
      lightChannel(tables, load<u8>(color), alpha, red, mask, shade, highlights, scene);
      lightChannel(tables, load<u8>(color, 1), alpha, green, mask, shade + 1, highlights ? highlights + 1 : 0, scene + 1);
      lightChannel(tables, load<u8>(color, 2), alpha, blue, mask, shade + 2, highlights ? highlights + 2 : 0, scene + 2);
    }
    if (highlights) highlights += 3;
  }
}

// ---- a row of chunks; pixel 0 is the first pixel of the frame's region ----

/** Samples one chunk into the block's colours: by the matrix where `u` is 0 (px is the row's first pixel's centre), else by the grid. */
export function sampleChunk(block: usize, chunk: usize, matrix: usize, px: f64, py: f64, u: usize, v: usize): void {
  const start = <usize>load<u32>(chunk);
  if (u) locateByGrid(block, chunk, u + (start << 2), v + (start << 2));
  else locateByMatrix(block, chunk, matrix, px + <f64>start, py);
  filterChunk(block, chunk);
}

export function blendRow(
  block: usize, chunk: usize, chunkCount: i32, matrix: usize, px: f64, py: f64, u: usize, v: usize,
  table: usize, scale: f64, coverage: usize, scene: usize,
): void {
  for (; chunkCount > 0; chunkCount--, chunk += 64) {
    sampleChunk(block, chunk, matrix, px, py, u, v);
    const start = <usize>load<u32>(chunk);
    blendByTable(block + COLOR, <usize>load<u32>(chunk, 4), table, scale, coverage + start, scene + start * 3);
  }
}

export function lightRow(
  block: usize, chunk: usize, chunkCount: i32, matrix: usize, px: f64, py: f64, u: usize, v: usize,
  tables: usize, scale: f64, coverage: usize, shade: usize, highlights: usize, scene: usize,
): void {
  for (; chunkCount > 0; chunkCount--, chunk += 64) {
    sampleChunk(block, chunk, matrix, px, py, u, v);
    const start = <usize>load<u32>(chunk);
    lightByTables(
      block + COLOR, <usize>load<u32>(chunk, 4), tables, scale, coverage + start,
      shade + start * 3, highlights ? highlights + start * 3 : 0, scene + start * 3,
    );
  }
}

// ---- textures; `origin` is the address of texel (0, 0), 4 texels of padding lie around every level ----

/** Multiplies straight colours by alpha, rounded. `count` texels. */
export function premultiply(at: usize, count: usize): void {
  const end = at + (count << 2);
  for (; at < end; at += 4) {
    const alpha = <u32>load<u8>(at, 3);
    if (alpha == 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      const t = <u32>load<u8>(channel) * alpha + 128;
      store<u8>(channel, <u8>((t + (t >> 8)) >> 8));
    }
  }
}

/** Repeats a level's edges into its padding; left and right from the opposite side where it wraps. */
export function padLevel(origin: usize, stride: usize, width: i32, height: i32, wraps: i32): void {
  for (let y = 0; y < height; y++) {
    const row = origin + <usize>y * stride;
    for (let step = 0; step < 4; step++) {
      const before = wraps ? width - 1 - (step % width) : 0, after = wraps ? step % width : width - 1;
      store<u32>(row - (<usize>(step + 1) << 2), load<u32>(row + (<usize>before << 2)));
      store<u32>(row + (<usize>(width + step) << 2), load<u32>(row + (<usize>after << 2)));
    }
  }
  const first = origin - 16, last = first + <usize>(height - 1) * stride;
  for (let step: usize = 1; step <= 4; step++) {
    memory.copy(first - step * stride, first, stride);
    memory.copy(last + step * stride, last, stride);
  }
}

/** Halves a level across with the weights 1 3 3 1; its size is the halved level's. */
export function halveAcross(from: usize, fromStride: usize, to: usize, toStride: usize, width: i32, height: i32): void {
  const outerInner = i16x8(1, 1, 1, 1, 3, 3, 3, 3), innerOuter = i16x8(3, 3, 3, 3, 1, 1, 1, 1);
  for (let y = 0; y < height; y++) {
    let s = from + <usize>y * fromStride - 4, d = to + <usize>y * toStride;
    const end = d + (<usize>width << 2);
    for (; d < end; d += 4, s += 8) {
      const texels = v128.load(s);
      const sum = i16x8.add(
        i16x8.mul(i16x8.extend_low_i8x16_u(texels), outerInner),
        i16x8.mul(i16x8.extend_high_i8x16_u(texels), innerOuter),
      );
      const total = i16x8.add(i16x8.add(sum, i32x4.shuffle(sum, sum, 2, 3, 2, 3)), i16x8.splat(4));
      const rounded = i16x8.shr_u(total, 3);
      v128.store32_lane(d, i8x16.narrow_i16x8_u(rounded, rounded), 0);
    }
  }
}

/** The same down. Writes up to 4 bytes past a row's last texel, which is padding. */
export function halveDown(from: usize, fromStride: usize, to: usize, toStride: usize, width: i32, height: i32): void {
  for (let y = 0; y < height; y++) {
    let s = from + <usize>(2 * y) * fromStride, d = to + <usize>y * toStride;
    const end = d + (<usize>width << 2);
    for (; d < end; d += 8, s += 8) {
      const outer = i16x8.add(v128.load_ext<u8>(s - fromStride), v128.load_ext<u8>(s + 2 * fromStride));
      const inner = i16x8.add(v128.load_ext<u8>(s), v128.load_ext<u8>(s + fromStride));
      const rounded = i16x8.shr_u(i16x8.add(i16x8.add(outer, i16x8.mul(inner, i16x8.splat(3))), i16x8.splat(4)), 3);
      v128.store64_lane(d, i8x16.narrow_i16x8_u(rounded, rounded), 0);
    }
  }
}
