// A run of pixels blended into the scene, four at a time: as blendChunk of engine/src/blending/blend-chunk.ts.
import {
  blendFour, blendFourByTable, COLOR_MODE, DARKEN, DARKER_COLOR, DIFFERENCE, HARD_LIGHT, HUE, LIGHTEN, LIGHTER_COLOR, LINEAR_BURN, LINEAR_DODGE, LUMINOSITY,
  MULTIPLY, NORMAL, OVERLAY, SATURATION, SCREEN, SUBTRACT, TABLE,
} from './modes';
import { loadFour, mixFour, storePixels, unmultiplyFour, weighFour } from './pixels';

function blendFourBy(mode: i32, table: usize, back: v128, source: v128): v128 {
  switch (mode) {
    case NORMAL: return source;
    case MULTIPLY: return blendFour(MULTIPLY, back, source);
    case SCREEN: return blendFour(SCREEN, back, source);
    case DARKEN: return blendFour(DARKEN, back, source);
    case LIGHTEN: return blendFour(LIGHTEN, back, source);
    case OVERLAY: return blendFour(OVERLAY, back, source);
    case HARD_LIGHT: return blendFour(HARD_LIGHT, back, source);
    case DIFFERENCE: return blendFour(DIFFERENCE, back, source);
    case LINEAR_DODGE: return blendFour(LINEAR_DODGE, back, source);
    case LINEAR_BURN: return blendFour(LINEAR_BURN, back, source);
    case SUBTRACT: return blendFour(SUBTRACT, back, source);
    case HUE: return blendFour(HUE, back, source);
    case SATURATION: return blendFour(SATURATION, back, source);
    case COLOR_MODE: return blendFour(COLOR_MODE, back, source);
    case LUMINOSITY: return blendFour(LUMINOSITY, back, source);
    case DARKER_COLOR: return blendFour(DARKER_COLOR, back, source);
    case LIGHTER_COLOR: return blendFour(LIGHTER_COLOR, back, source);
    default: return blendFourByTable(table, back, source);
  }
}

/** Up to four pixels through which the scene shows. */
function blendPartly(mode: i32, color: usize, count: usize, table: usize, scale: f64, covered: u32, scene: usize): void {
  const source = v128.load(color), back = loadFour(scene);
  const blended = blendFourBy(mode, table, back, unmultiplyFour(source));
  storePixels(scene, mixFour(back, blended, weighFour(source, covered, scale)), count);
}

/** Pixels through all of which the scene may show. */
function blendAllPartly(mode: i32, color: usize, length: usize, table: usize, scale: f64, coverage: usize, scene: usize): void {
  for (let left = <isize>length; left > 0; left -= 4, color += 16, coverage += 4, scene += 12) {
    const covered = load<u32>(coverage);
    // Where nothing covers, and where the artwork is clear.
    if (covered && v128.any_true(v128.load(color))) blendPartly(mode, color, left, table, scale, covered, scene);
  }
}

// Pixels that hide all of the scene but what their mode lets through are nearly all of a frame: short code for each mode. `mode` is a constant at each call.
// @ts-ignore: decorator
@inline function blendRun(mode: i32, color: usize, length: usize, table: usize, scale: f64, coverage: usize, scene: usize): void {
  const end = color + (length << 2), wholeEnd = color + ((length & ~3) << 2);
  for (; color < wholeEnd; color += 16, coverage += 4, scene += 12) {
    const source = v128.load(color);
    const isOpaque = (i8x16.bitmask(i8x16.eq(source, i8x16.splat(-1))) & 0x8888) == 0x8888;
    if (load<u32>(coverage) != 0xffffffff || !isOpaque) {
      blendPartly(mode, color, 4, table, scale, load<u32>(coverage), scene);
      continue;
    }
    const back = loadFour(scene);
    storePixels(scene, mode == TABLE ? blendFourByTable(table, back, source) : blendFour(mode, back, source), 4);
  }
  if (color < end) blendPartly(mode, color, (end - color) >> 2, table, scale, load<u32>(coverage), scene);
}

/**
 * `color` is premultiplied RGBA; `mode` 0 = by the table; `scale` makes coverage times alpha parts of 65536.
 * Reads up to 16 bytes past the end of each.
 */
export function blendPixels(mode: i32, color: usize, length: usize, table: usize, scale: f64, coverage: usize, scene: usize): void {
  if (floor(65025 * scale + 0.5) != 65536) {
    blendAllPartly(mode, color, length, table, scale, coverage, scene);
    return;
  }
  switch (mode) {
    case NORMAL: blendRun(NORMAL, color, length, table, scale, coverage, scene); break;
    case MULTIPLY: blendRun(MULTIPLY, color, length, table, scale, coverage, scene); break;
    case SCREEN: blendRun(SCREEN, color, length, table, scale, coverage, scene); break;
    case DARKEN: blendRun(DARKEN, color, length, table, scale, coverage, scene); break;
    case LIGHTEN: blendRun(LIGHTEN, color, length, table, scale, coverage, scene); break;
    case OVERLAY: blendRun(OVERLAY, color, length, table, scale, coverage, scene); break;
    case HARD_LIGHT: blendRun(HARD_LIGHT, color, length, table, scale, coverage, scene); break;
    case DIFFERENCE: blendRun(DIFFERENCE, color, length, table, scale, coverage, scene); break;
    case LINEAR_DODGE: blendRun(LINEAR_DODGE, color, length, table, scale, coverage, scene); break;
    case LINEAR_BURN: blendRun(LINEAR_BURN, color, length, table, scale, coverage, scene); break;
    case SUBTRACT: blendRun(SUBTRACT, color, length, table, scale, coverage, scene); break;
    case HUE: blendRun(HUE, color, length, table, scale, coverage, scene); break;
    case SATURATION: blendRun(SATURATION, color, length, table, scale, coverage, scene); break;
    case COLOR_MODE: blendRun(COLOR_MODE, color, length, table, scale, coverage, scene); break;
    case LUMINOSITY: blendRun(LUMINOSITY, color, length, table, scale, coverage, scene); break;
    case DARKER_COLOR: blendRun(DARKER_COLOR, color, length, table, scale, coverage, scene); break;
    case LIGHTER_COLOR: blendRun(LIGHTER_COLOR, color, length, table, scale, coverage, scene); break;
    default: blendRun(TABLE, color, length, table, scale, coverage, scene);
  }
}

/** Blends `rows` rows of an overlay over the scene; strides in bytes. */
export function layOver(
  mode: i32, color: usize, colorStride: usize, width: usize, rows: i32, table: usize, scale: f64, scene: usize, sceneStride: usize,
): void {
  for (; rows > 0; rows--, color += colorStride, scene += sceneStride) {
    for (let at: usize = 0; at < width; at += 4) {
      const source = color + (at << 2);
      // Most of an overlay is clear.
      if (v128.any_true(v128.load(source))) blendPartly(mode, source, width - at, table, scale, 0xffffffff, scene + at * 3);
    }
  }
}
