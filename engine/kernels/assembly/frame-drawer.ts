// Draws a band of a frame's rows: locates each pixel in the artwork, filters its 4 x 4 texels, then blends or
// lights the result into the scene.
// The plain TypeScript (engine/src/sampling/sample-chunk.ts, blending/*.ts, lighting/light-chunk.ts) defines
// every result, and this file gives identical bits: positions in 64-bit floats with the same operations in
// the same order, filters in integers. Three short loops over a chunk, with scratch memory in the first-level
// cache, are faster than one fused loop.
// The caller owns all memory and writes the frame's record (frame/layout.ts) and everything it points to.
// Every region ends in at least 64 readable bytes. Texture texels are premultiplied RGBA.
import { blendPixels } from './frame/blend';
import {
  EXTENDS_MIRRORED, GREATEST_LEVEL, LEVEL_THRESHOLD, ORIGIN, PHASE_COUNT, SCALE_STEPS_PER_UNIT, TABLE_COUNT,
} from './frame/constants.ts';
import { filterChunk } from './frame/filter';
import { finishColors, isCutOff } from './frame/finish';
import {
  BACKGROUND, BLEND_TABLE, BLOCK, CHUNK, CHUNK_LENGTH, CHUNK_PIXELS, CHUNK_SCALE_U, CHUNK_SCALE_V, CHUNK_START, COLOR, COVERAGE, CUT,
  FACTOR_W,
  FACTOR_X, FACTOR_X_V, FIRST, GREATEST_X, GREATEST_Y, GRID_U, GRID_V, HEIGHT, IS_OPAQUE, LEFT, LEVEL_BYTES, LEVEL_FIRST,
  LEVEL_GREATEST_X, LEVEL_GREATEST_Y, LEVEL_STRIDE, LEVELS, LIGHT_TABLES, MATRIX, MODE, OPACITY_SCALE, PER_PERIOD_X,
  PERIOD_X, REGION_WIDTH, REPEAT, ROW_CHUNKS,
  SCENE, SCENE_STRIDE, START_W, START_X, STRIDE, TABLE_X, TABLE_Y, TOP, TURN_X, WEIGHTS_ACROSS, WEIGHTS_DOWN, WIDTH, X_PER_U, X_PER_V,
  X_START, Y_PER_U, Y_PER_V, Y_START,
} from './frame/layout.ts';
import { lightPixels } from './frame/light';
import { locateByGrid, locateByMatrix, locateRepeatedByGrid, locateRepeatedByMatrix } from './frame/locate';

export * from './frame/blend';
export { fetchedBytes } from './frame/filter';
export * from './stack/operations';
export { lightSurface } from './frame/light';
export { halveAcross, halveDown, padLevel, padRows, premultiply } from './frame/levels';
export { continueRow, reduceAcross, reduceDown } from './frame/reduce';

/** First byte of memory not used by the module itself. */
export function heapBase(): usize {
  return __heap_base;
}

const TABLE_BYTES: usize = PHASE_COUNT * 16;

// Like chooseLevel.
// @ts-ignore: decorator
@inline function chooseLevel(scale: f64, size: i32): i32 {
  let level = 0;
  for (let rest = scale; rest >= 2 * LEVEL_THRESHOLD && level < GREATEST_LEVEL && size >> (level + 1) > 0; rest /= 2) level++;
  return level;
}

// Like findKernelTable, in bytes.
// @ts-ignore: decorator
@inline function findTable(scale: f64, isHalved: bool): usize {
  const steps = scale * SCALE_STEPS_PER_UNIT, below = floor(steps);
  const step = min<f64>(<f64>(TABLE_COUNT - 1), max<f64>(0, steps - below >= 0.5 ? below + 1 : below));
  return (<usize>step + (isHalved ? TABLE_COUNT : 0)) * TABLE_BYTES;
}

// Like findLength of sampling-plan.ts.
// @ts-ignore: decorator
@inline function findLength(a: f64, b: f64): f64 {
  return sqrt<f64>(a * a + b * b);
}

// Like buildAxis and followRow of sample-chunk.ts. `axis` is 0 for x, 8 for y.
// @ts-ignore: decorator
@inline function writeAxis(frame: usize, chunk: usize, axis: usize, perU: f64, perV: f64, texel0: f64, py: f64): void {
  const factorU = perU * PHASE_COUNT, factorV = perV * PHASE_COUNT, start = texel0 * PHASE_COUNT + ORIGIN;
  if (load<u32>(frame, GRID_U)) {
    store<f64>(chunk + axis, factorU, FACTOR_X);
    store<f64>(chunk + axis, factorV, FACTOR_X_V);
    store<f64>(chunk + axis, start, START_X);
    return;
  }
  const m = frame + MATRIX;
  store<f64>(chunk + axis, load<f64>(m) * factorU + load<f64>(m, 24) * factorV + start * load<f64>(m, 48), FACTOR_X);
  store<f64>(
    chunk + axis,
    (load<f64>(m, 8) * py + load<f64>(m, 16)) * factorU + (load<f64>(m, 32) * py + load<f64>(m, 40)) * factorV
      + start * (load<f64>(m, 56) * py + load<f64>(m, 64)),
    START_X,
  );
}

// Like buildFold of sample-chunk.ts, for a level of that size. `axis` is 0 for x, 8 for y.
// @ts-ignore: decorator
@inline function writeFold(chunk: usize, axis: usize, size: i32, isMirrored: bool): void {
  const period = <f64>size * PHASE_COUNT * (isMirrored ? 2 : 1);
  store<f64>(chunk + axis, period, PERIOD_X);
  store<f64>(chunk + axis, 1 / period, PER_PERIOD_X);
  store<f64>(chunk + axis, isMirrored ? period : Infinity, TURN_X);
}

/** Samples a chunk of the band's row into the scratch's colours. Chunks count from the band's first. */
function sampleChunk(frame: usize, index: i32, firstRow: i32, row: i32): void {
  const block = <usize>load<u32>(frame, BLOCK), chunk = block + CHUNK;
  const at = <usize>index << 2;
  const width = load<i32>(frame, REGION_WIDTH);
  const start = load<i32>(<usize>load<u32>(frame, CHUNK_START) + at);
  const textureWidth = load<i32>(frame, WIDTH), textureHeight = load<i32>(frame, HEIGHT);
  const scaleU = <f64>load<f32>(<usize>load<u32>(frame, CHUNK_SCALE_U) + at);
  const scaleV = <f64>load<f32>(<usize>load<u32>(frame, CHUNK_SCALE_V) + at);
  const xPerU = load<f64>(frame, X_PER_U), xPerV = load<f64>(frame, X_PER_V);
  const yPerU = load<f64>(frame, Y_PER_U), yPerV = load<f64>(frame, Y_PER_V);
  const scaleX = findLength(xPerU * scaleU, xPerV * scaleV), scaleY = findLength(yPerU * scaleU, yPerV * scaleV);
  const levelX = chooseLevel(scaleX, textureWidth), levelY = chooseLevel(scaleY, textureHeight);
  const shrinkX = 1 / <f64>(1 << levelX), shrinkY = 1 / <f64>(1 << levelY);
  const level = frame + LEVELS + <usize>(levelX * (GREATEST_LEVEL + 1) + levelY) * LEVEL_BYTES;
  const py = load<f64>(frame, TOP) + <f64>(firstRow + row) + 0.5;

  store<i32>(chunk, load<i32>(<usize>load<u32>(frame, CHUNK_LENGTH) + at), CHUNK_PIXELS);
  store<u32>(chunk, load<u32>(level, LEVEL_FIRST), FIRST);
  store<u32>(chunk, load<u32>(level, LEVEL_STRIDE), STRIDE);
  store<u32>(chunk, load<u32>(level, LEVEL_GREATEST_X), GREATEST_X);
  store<u32>(chunk, load<u32>(level, LEVEL_GREATEST_Y), GREATEST_Y);
  store<u32>(chunk, load<u32>(frame, WEIGHTS_ACROSS) + <u32>findTable(scaleX * shrinkX, levelX > 0), TABLE_X);
  store<u32>(chunk, load<u32>(frame, WEIGHTS_DOWN) + <u32>findTable(scaleY * shrinkY, levelY > 0), TABLE_Y);
  writeAxis(frame, chunk, 0, xPerU * shrinkX, xPerV * shrinkX, load<f64>(frame, X_START) * shrinkX, py);
  writeAxis(frame, chunk, 8, yPerU * shrinkY, yPerV * shrinkY, load<f64>(frame, Y_START) * shrinkY, py);

  const u = <usize>load<u32>(frame, GRID_U), repeat = load<i32>(frame, REPEAT);
  if (repeat) {
    writeFold(chunk, 0, (textureWidth + (1 << levelX) - 1) >> levelX, repeat == EXTENDS_MIRRORED);
    writeFold(chunk, 8, (textureHeight + (1 << levelY) - 1) >> levelY, repeat == EXTENDS_MIRRORED);
  }
  if (u) {
    const pixel = <usize>(start - firstRow * width) << 2, us = u + pixel, vs = <usize>load<u32>(frame, GRID_V) + pixel;
    if (repeat) locateRepeatedByGrid(block, chunk, us, vs);
    else locateByGrid(block, chunk, us, vs);
  } else {
    store<f64>(chunk, load<f64>(frame, MATRIX + 48), FACTOR_W);
    store<f64>(chunk, load<f64>(frame, MATRIX + 56) * py + load<f64>(frame, MATRIX + 64), START_W);
    const px = load<f64>(frame, LEFT) + <f64>(start - (firstRow + row) * width) + 0.5;
    if (repeat) locateRepeatedByMatrix(block, chunk, px);
    else locateByMatrix(block, chunk, px);
  }
  filterChunk(block, chunk, load<i32>(frame, IS_OPAQUE));
}

/** Samples `rowCount` rows like `drawBand`, into RGBA rows of the region's width. */
export function sampleBand(frame: usize, firstRow: i32, rowCount: i32, out: usize): void {
  const rowChunks = <usize>load<u32>(frame, ROW_CHUNKS), endChunk = load<i32>(rowChunks + (<usize>rowCount << 2));
  const firstChunk = load<i32>(rowChunks), width = load<i32>(frame, REGION_WIDTH);
  const starts = <usize>load<u32>(frame, CHUNK_START), lengths = <usize>load<u32>(frame, CHUNK_LENGTH);
  const color = <usize>load<u32>(frame, BLOCK) + COLOR;
  const cut = <usize>load<u32>(frame, CUT), background = load<u32>(frame, BACKGROUND);
  for (let index = 0; index < endChunk - firstChunk; index++) {
    const start = load<i32>(starts + (<usize>index << 2)), length = <usize>load<u32>(lengths + (<usize>index << 2));
    const pixel = <usize>(start - firstRow * width), cutHere = cut ? cut + pixel : 0;
    if (cut && isCutOff(cutHere, length)) memory.fill(color, 0, length << 2);
    else sampleChunk(frame, index, firstRow, start / width - firstRow);
    if (cut | background) finishColors(color, length, cutHere, background);
    memory.copy(out + (pixel << 2), color, length << 2);
  }
}

/**
 * Draws `rowCount` rows of the region starting at `firstRow`; the record's layers, scene and chunks are those
 * of these rows.
 */
export function drawBand(frame: usize, firstRow: i32, rowCount: i32): void {
  const rowChunks = <usize>load<u32>(frame, ROW_CHUNKS);
  const firstChunk = load<i32>(rowChunks), width = load<i32>(frame, REGION_WIDTH);
  const starts = <usize>load<u32>(frame, CHUNK_START), lengths = <usize>load<u32>(frame, CHUNK_LENGTH);
  const color = <usize>load<u32>(frame, BLOCK) + COLOR;
  const isLit = load<u32>(frame, LIGHT_TABLES) != 0;
  const coverage = <usize>load<u32>(frame, COVERAGE), scale = load<f64>(frame, OPACITY_SCALE);
  const mode = load<i32>(frame, MODE), table = <usize>load<u32>(frame, BLEND_TABLE);
  const cut = <usize>load<u32>(frame, CUT), background = load<u32>(frame, BACKGROUND);
  let scene = <usize>load<u32>(frame, SCENE);
  for (let row = 0; row < rowCount; row++, scene += <usize>load<u32>(frame, SCENE_STRIDE)) {
    const end = load<i32>(rowChunks + (<usize>row << 2), 4) - firstChunk;
    for (let index = load<i32>(rowChunks + (<usize>row << 2)) - firstChunk; index < end; index++) {
      const start = load<i32>(starts + (<usize>index << 2)), length = <usize>load<u32>(lengths + (<usize>index << 2));
      // Offsets from the band's first pixel, and from the row's.
      const pixel = <usize>(start - firstRow * width), target = scene + <usize>(start - (firstRow + row) * width) * 3;
      const cutHere = cut ? cut + pixel : 0;
      if (cut && isCutOff(cutHere, length)) {
        // When blended, transparent artwork leaves the scene unchanged.
        if (!(isLit || background)) continue;
        memory.fill(color, 0, length << 2);
      } else {
        sampleChunk(frame, index, firstRow, row);
      }
      if (cut | background) finishColors(color, length, cutHere, background);
      if (isLit) {
        lightPixels(frame, color, length, pixel, target);
      } else {
        blendPixels(mode, color, length, table, scale, coverage + pixel, target);
      }
    }
  }
}
