import { unmultiply } from './unmultiply';

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
export function lightByTables(
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

