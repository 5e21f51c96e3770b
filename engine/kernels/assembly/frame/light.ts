// A run of pixels lit into the scene: as engine/src/lighting/light-chunk.ts defines it, byte for byte.
import { TONE_STEPS_PER_UNIT } from './constants.ts';
import {
  BYTE_OF_STEP, COVERAGE, HIGHLIGHTS, LAST_STEP, LAYER_LIGHT, LIGHT_TABLES, LINEAR_LIGHT, OPACITY_SCALE, SCENE_LIGHT, SHADE,
  SURFACE_LIGHT,
} from './layout.ts';
import { unmultiply } from './unmultiply';

// @ts-ignore: decorator
@inline function lightOf(table: usize, byte: u32): f64 {
  return load<f64>(table + (<usize>byte << 3));
}

// @ts-ignore: decorator
@inline function lightChannel(
  tables: usize, channel: u32, alpha: u32, surface: f64, mask: f64, shade: usize, highlights: usize, scene: usize,
): void {
  let light = surface;
  if (alpha > 0) {
    if (alpha == 255) light = lightOf(tables + LINEAR_LIGHT, channel);
    else {
      const share = <f64>alpha / 255;
      light = lightOf(tables + LINEAR_LIGHT, unmultiply(channel, alpha)) * share + surface * (1 - share);
    }
  }
  light *= lightOf(tables + LAYER_LIGHT, load<u8>(shade));
  if (highlights) light += lightOf(tables + LAYER_LIGHT, load<u8>(highlights));
  light = lightOf(tables + SCENE_LIGHT, load<u8>(scene)) + mask * light;
  const step = min<i32>(load<i32>(tables, LAST_STEP), <i32>floor(light * TONE_STEPS_PER_UNIT + 0.5));
  store<u8>(scene, load<u8>(tables + BYTE_OF_STEP + <usize>step));
}

/**
 * out = T(T^-1(scene) + mask (shade albedo + highlights)), for `length` pixels from `scene` on; in the layers
 * of the frame's record the first of them is `pixel`.
 */
export function lightPixels(frame: usize, color: usize, length: usize, pixel: usize, scene: usize): void {
  const tables = <usize>load<u32>(frame, LIGHT_TABLES), scale = load<f64>(frame, OPACITY_SCALE);
  const highlightsLayer = <usize>load<u32>(frame, HIGHLIGHTS);
  let coverage = <usize>load<u32>(frame, COVERAGE) + pixel;
  let shade = <usize>load<u32>(frame, SHADE) + pixel * 3;
  let highlights = highlightsLayer ? highlightsLayer + pixel * 3 : 0;
  const red = load<f64>(tables, SURFACE_LIGHT);
  const green = load<f64>(tables, SURFACE_LIGHT + 8);
  const blue = load<f64>(tables, SURFACE_LIGHT + 16);
  const end = color + (length << 2);
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

