import { unmultiply } from './unmultiply';

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
export function blendPixels(mode: i32, color: usize, length: usize, table: usize, scale: f64, coverage: usize, scene: usize): void {
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

