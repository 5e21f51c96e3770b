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
//   24 greatest position across (i32)         28 greatest position down (i32)
//   32 factor across   40 offset   48 factor down   56 offset  (f64: a Locator of sample-chunk.ts for each axis)
// Weights are four i16 a phase: across in the order 0 2 1 3 and summing to 16384, down summing to 128.

const PHASE_BITS: i32 = 7;
const LEAST_POSITION: i32 = 192;

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

// Positions of four pixels, rounded and clamped; NaN and infinities clamp too.
// @ts-ignore: decorator
@inline function toFixed(low: v128, high: v128, greatest: v128): v128 {
  const half = f64x2.splat(0.5);
  const fixed = i32x4.shuffle(
    i32x4.trunc_sat_f64x2_s_zero(f64x2.add(low, half)), i32x4.trunc_sat_f64x2_s_zero(f64x2.add(high, half)), 0, 1, 4, 5,
  );
  return i32x4.min_s(i32x4.max_s(fixed, i32x4.splat(LEAST_POSITION)), greatest);
}

// @ts-ignore: decorator
@inline function storePositions(p: usize, x: v128, y: v128, first: v128, stride: v128, weightsX: v128, weightsY: v128): void {
  const phase = i32x4.splat(127);
  const texel = i32x4.add(i32x4.mul(i32x4.shr_s(y, PHASE_BITS), stride), i32x4.shl(i32x4.shr_s(x, PHASE_BITS), 2));
  v128.store(p + TEXEL, i32x4.add(texel, first));
  v128.store(p + WEIGHT_X, i32x4.add(i32x4.shl(v128.and(x, phase), 3), weightsX));
  v128.store(p + WEIGHT_Y, i32x4.add(i32x4.shl(v128.and(y, phase), 3), weightsY));
}

/** By a matrix, for pixels at px, px + 1, px + 2, ...: `perspective` px + `constant` is what both numerators are divided by. */
function locateByMatrix(block: usize, chunk: usize, perspective: f64, constant: f64, px: f64): void {
  const length = <usize>load<u32>(chunk, 4);
  const factorW = f64x2.splat(perspective), offsetW = f64x2.splat(constant);
  const factorX = v128.load64_splat(chunk, 32), offsetX = v128.load64_splat(chunk, 40);
  const factorY = v128.load64_splat(chunk, 48), offsetY = v128.load64_splat(chunk, 56);
  const greatestX = v128.load32_splat(chunk, 24), greatestY = v128.load32_splat(chunk, 28);
  const first = v128.load32_splat(chunk, 8), stride = v128.load32_splat(chunk, 12);
  const weightsX = v128.load32_splat(chunk, 16), weightsY = v128.load32_splat(chunk, 20);
  const one = f64x2.splat(1), two = f64x2.splat(2);
  let x = f64x2(px, px + 1);
  const end = block + (length << 2);
  for (let p = block; p < end; p += 16) {
    const wLow = f64x2.div(one, f64x2.add(f64x2.mul(factorW, x), offsetW));
    const xLow = f64x2.mul(f64x2.add(f64x2.mul(factorX, x), offsetX), wLow);
    const yLow = f64x2.mul(f64x2.add(f64x2.mul(factorY, x), offsetY), wLow);
    x = f64x2.add(x, two);
    const wHigh = f64x2.div(one, f64x2.add(f64x2.mul(factorW, x), offsetW));
    const xHigh = f64x2.mul(f64x2.add(f64x2.mul(factorX, x), offsetX), wHigh);
    const yHigh = f64x2.mul(f64x2.add(f64x2.mul(factorY, x), offsetY), wHigh);
    x = f64x2.add(x, two);
    storePositions(p, toFixed(xLow, xHigh, greatestX), toFixed(yLow, yHigh, greatestY), first, stride, weightsX, weightsY);
  }
}

// @ts-ignore: decorator
@inline function locateFloats(values: v128, factor: v128, offset: v128): v128 {
  return f64x2.add(f64x2.mul(f64x2.promote_low_f32x4(values), factor), offset);
}

// @ts-ignore: decorator
@inline function upper(values: v128): v128 {
  return i32x4.shuffle(values, values, 2, 3, 2, 3);
}

/** By a u and a v (f32) per pixel. */
function locateByGrid(block: usize, chunk: usize, u: usize, v: usize): void {
  const length = <usize>load<u32>(chunk, 4);
  const factorX = v128.load64_splat(chunk, 32), offsetX = v128.load64_splat(chunk, 40);
  const factorY = v128.load64_splat(chunk, 48), offsetY = v128.load64_splat(chunk, 56);
  const greatestX = v128.load32_splat(chunk, 24), greatestY = v128.load32_splat(chunk, 28);
  const first = v128.load32_splat(chunk, 8), stride = v128.load32_splat(chunk, 12);
  const weightsX = v128.load32_splat(chunk, 16), weightsY = v128.load32_splat(chunk, 20);
  const end = block + (length << 2);
  for (let p = block; p < end; p += 16, u += 16, v += 16) {
    const us = v128.load(u), vs = v128.load(v);
    storePositions(
      p,
      toFixed(locateFloats(us, factorX, offsetX), locateFloats(upper(us), factorX, offsetX), greatestX),
      toFixed(locateFloats(vs, factorY, offsetY), locateFloats(upper(vs), factorY, offsetY), greatestY),
      first, stride, weightsX, weightsY,
    );
  }
}

// ---- filters ----

// Two columns, four rows each: channels of the first, of the second. With 7 bits of fraction, less 128 so that they fit 16 bits; sums that
// overflow on the way come back.
// @ts-ignore: decorator
@inline function columns(texel: usize, stride: usize, w0: v128, w1: v128, w2: v128, w3: v128): v128 {
  const below = texel + stride + stride;
  const upper = i16x8.add(i16x8.mul(v128.load_ext<u8>(texel), w0), i16x8.mul(v128.load_ext<u8>(texel + stride), w1));
  const lower = i16x8.add(i16x8.mul(v128.load_ext<u8>(below), w2), i16x8.mul(v128.load_ext<u8>(below + stride), w3));
  return i16x8.sub(i16x8.add(upper, lower), i16x8.splat(16384));
}
// One pixel's four channels, rounded, as i32.
// @ts-ignore: decorator
@inline function filterPixel(p: usize, stride: usize): v128 {
  const texel = <usize>load<u32>(p, TEXEL), x = <usize>load<u32>(p, WEIGHT_X), y = <usize>load<u32>(p, WEIGHT_Y);
  const w0 = v128.load16_splat(y), w1 = v128.load16_splat(y, 2), w2 = v128.load16_splat(y, 4), w3 = v128.load16_splat(y, 6);
  const left = columns(texel, stride, w0, w1, w2, w3), right = columns(texel + 8, stride, w0, w1, w2, w3);
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(i16x8.shuffle(left, right, 0, 8, 1, 9, 2, 10, 3, 11), v128.load32_splat(x)),
    i32x4.dot_i16x8_s(i16x8.shuffle(left, right, 4, 12, 5, 13, 6, 14, 7, 15), v128.load32_splat(x, 4)),
  );
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(16384 * 16384 + (1 << 20))), 21);
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

// Modes by formula, four pixels at once; each equals its table for all 65,536 pairs of bytes. The others' formulas need divisions, roots or 17 bits.
const NORMAL: i32 = 1;
const MULTIPLY: i32 = 2;
const SCREEN: i32 = 3;
const DARKEN: i32 = 4;
const LIGHTEN: i32 = 5;
const OVERLAY: i32 = 6;
const HARD_LIGHT: i32 = 7;
const DIFFERENCE: i32 = 8;
const LINEAR_DODGE: i32 = 9;
const LINEAR_BURN: i32 = 10;
const SUBTRACT: i32 = 11;

// Bytes times bytes over 255, rounded.
// @ts-ignore: decorator
@inline function product(a: v128, b: v128): v128 {
  const half = i16x8.splat(128);
  const low = i16x8.add(i16x8.extmul_low_i8x16_u(a, b), half), high = i16x8.add(i16x8.extmul_high_i8x16_u(a, b), half);
  return i8x16.narrow_i16x8_u(
    i16x8.shr_u(i16x8.add(low, i16x8.shr_u(low, 8)), 8),
    i16x8.shr_u(i16x8.add(high, i16x8.shr_u(high, 8)), 8),
  );
}
// Multiply where `which` is below 128, else screen; of twice the distance to the nearer end.
// @ts-ignore: decorator
@inline function hardLight(other: v128, which: v128): v128 {
  const isLight = i8x16.shr_s(which, 7);
  const near = v128.xor(which, isLight);
  return v128.xor(product(v128.xor(other, isLight), i8x16.add(near, near)), isLight);
}
// @ts-ignore: decorator
@inline function blendBytes(mode: i32, back: v128, source: v128): v128 {
  const ones = i8x16.splat(-1);
  if (mode == MULTIPLY) return product(back, source);
  if (mode == SCREEN) return v128.xor(product(v128.xor(back, ones), v128.xor(source, ones)), ones);
  if (mode == DARKEN) return i8x16.min_u(back, source);
  if (mode == LIGHTEN) return i8x16.max_u(back, source);
  if (mode == OVERLAY) return hardLight(source, back);
  if (mode == HARD_LIGHT) return hardLight(back, source);
  if (mode == DIFFERENCE) return v128.or(i8x16.sub_sat_u(back, source), i8x16.sub_sat_u(source, back));
  if (mode == LINEAR_DODGE) return i8x16.add_sat_u(back, source);
  if (mode == LINEAR_BURN) return i8x16.sub_sat_u(back, v128.xor(source, ones));
  if (mode == SUBTRACT) return i8x16.sub_sat_u(back, source);
  return source;
}

/** Four pixels that hide all of the scene but what their mode lets through; others go by the table. */
// @ts-ignore: decorator
@inline function blendByFormula(mode: i32, color: usize, length: usize, table: usize, scale: f64, coverage: usize, scene: usize): void {
  const end = color + (length << 2), wholeEnd = color + ((length & ~3) << 2);
  for (; color < wholeEnd; color += 16, coverage += 4, scene += 12) {
    const source = v128.load(color);
    const isOpaque = (i8x16.bitmask(i8x16.eq(source, i8x16.splat(-1))) & 0x8888) == 0x8888;
    if (load<u32>(coverage) != 0xffffffff || !isOpaque) {
      blendByTable(color, 4, table, scale, coverage, scene);
      continue;
    }
    const back = i8x16.swizzle(v128.load(scene), i8x16(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
    const blended = i8x16.swizzle(blendBytes(mode, back, source), i8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
    v128.store64_lane(scene, blended, 0);
    v128.store32_lane(scene, blended, 2, 8);
  }
  if (color < end) blendByTable(color, (end - color) >> 2, table, scale, coverage, scene);
}

/** `mode` 0 = by the table alone. */
function blendPixels(mode: i32, color: usize, length: usize, table: usize, scale: f64, coverage: usize, scene: usize): void {
  switch (<i32>floor(<f64>65025 * scale + 0.5) == 65536 ? mode : 0) {
    case NORMAL: blendByFormula(NORMAL, color, length, table, scale, coverage, scene); break;
    case MULTIPLY: blendByFormula(MULTIPLY, color, length, table, scale, coverage, scene); break;
    case SCREEN: blendByFormula(SCREEN, color, length, table, scale, coverage, scene); break;
    case DARKEN: blendByFormula(DARKEN, color, length, table, scale, coverage, scene); break;
    case LIGHTEN: blendByFormula(LIGHTEN, color, length, table, scale, coverage, scene); break;
    case OVERLAY: blendByFormula(OVERLAY, color, length, table, scale, coverage, scene); break;
    case HARD_LIGHT: blendByFormula(HARD_LIGHT, color, length, table, scale, coverage, scene); break;
    case DIFFERENCE: blendByFormula(DIFFERENCE, color, length, table, scale, coverage, scene); break;
    case LINEAR_DODGE: blendByFormula(LINEAR_DODGE, color, length, table, scale, coverage, scene); break;
    case LINEAR_BURN: blendByFormula(LINEAR_BURN, color, length, table, scale, coverage, scene); break;
    case SUBTRACT: blendByFormula(SUBTRACT, color, length, table, scale, coverage, scene); break;
    default: blendByTable(color, length, table, scale, coverage, scene);
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
export function sampleChunk(block: usize, chunk: usize, perspective: f64, constant: f64, px: f64, u: usize, v: usize): void {
  const start = <usize>load<u32>(chunk);
  if (u) locateByGrid(block, chunk, u + (start << 2), v + (start << 2));
  else locateByMatrix(block, chunk, perspective, constant, px + <f64>start);
  filterChunk(block, chunk);
}

export function blendRow(
  block: usize, chunk: usize, chunkCount: i32, perspective: f64, constant: f64, px: f64, u: usize, v: usize,
  mode: i32, table: usize, scale: f64, coverage: usize, scene: usize,
): void {
  for (; chunkCount > 0; chunkCount--, chunk += 64) {
    sampleChunk(block, chunk, perspective, constant, px, u, v);
    const start = <usize>load<u32>(chunk);
    blendPixels(mode, block + COLOR, <usize>load<u32>(chunk, 4), table, scale, coverage + start, scene + start * 3);
  }
}

export function lightRow(
  block: usize, chunk: usize, chunkCount: i32, perspective: f64, constant: f64, px: f64, u: usize, v: usize,
  tables: usize, scale: f64, coverage: usize, shade: usize, highlights: usize, scene: usize,
): void {
  for (; chunkCount > 0; chunkCount--, chunk += 64) {
    sampleChunk(block, chunk, perspective, constant, px, u, v);
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
