// Lights a run of pixels into the scene: like engine/src/lighting/light-chunk.ts, byte for byte.
import { TONE_STEPS_PER_UNIT } from './constants.ts';
import {
  BYTE_OF_STEP, COVERAGE, LAST_STEP, LAYER_LIGHT, LIGHT_LAYERS, LIGHT_TABLES, LINEAR_LIGHT, OPACITY_SCALE, SCENE_LIGHT, SURFACE_LIGHT,
} from './layout.ts';
import { LEAST_ALPHA, PLANE_BYTES } from '../stack/constants.ts';
import { unmultiply } from './unmultiply';

const PLANE: usize = PLANE_BYTES;

// @ts-ignore: decorator
@inline function lightOf(table: usize, byte: u32): f64 {
  return load<f64>(table + (<usize>byte << 3));
}

/** The light that a channel's albedo reflects. */
// @ts-ignore: decorator
@inline function sendBack(tables: usize, albedo: f64, shade: usize, highlights: usize): f64 {
  const diffuse = albedo * lightOf(tables + LAYER_LIGHT, load<u8>(shade));
  return highlights ? diffuse + lightOf(tables + LAYER_LIGHT, load<u8>(highlights)) : diffuse;
}

/** T(light), a byte. */
// @ts-ignore: decorator
@inline function encodeLight(tables: usize, light: f64): u32 {
  const step = min<i32>(load<i32>(tables, LAST_STEP), <i32>floor(light * TONE_STEPS_PER_UNIT + 0.5));
  return load<u8>(tables + BYTE_OF_STEP + <usize>step);
}

// @ts-ignore: decorator
@inline function lightChannel(
  tables: usize, channel: u32, alpha: u32, surface: f64, mask: f64, shade: usize, highlights: usize, scene: usize,
): void {
  let albedo = surface;
  if (alpha > 0) {
    if (alpha == 255) albedo = lightOf(tables + LINEAR_LIGHT, channel);
    else {
      const share = <f64>alpha / 255;
      albedo = lightOf(tables + LINEAR_LIGHT, unmultiply(channel, alpha)) * share + surface * (1 - share);
    }
  }
  const light = lightOf(tables + SCENE_LIGHT, load<u8>(scene)) + mask * sendBack(tables, albedo, shade, highlights);
  store<u8>(scene, encodeLight(tables, light));
}

// ---- onto a surface of a stack: like PlainArithmetic.light and lighting/light-share.ts ----

// @ts-ignore: decorator
@inline function lightBetween(table: usize, share: f32): f64 {
  const position = <f64>share * 255, below = min<i32>(254, <i32>position), low = lightOf(table, below);
  return low + (position - <f64>below) * (lightOf(table, below + 1) - low);
}

// @ts-ignore: decorator
@inline function encodeShare(tables: usize, light: f64): f32 {
  const table = tables + SCENE_LIGHT, nearest = encodeLight(tables, light);
  const below = min<u32>(254, nearest - <u32>(light < lightOf(table, nearest))), low = lightOf(table, below);
  return <f32>((<f64>below + min<f64>(1, (light - low) / (lightOf(table, below + 1) - low))) * (1.0 / 255));
}

/** Colours are those of the surface `from`; coverage and layers (`layers`: addresses) are the area's. */
export function lightSurface(
  to: usize, start: usize, bandWidth: usize, width: isize, rows: i32, from: usize, coverage: usize, layers: usize,
  tables: usize, scale: f64, isOpaque: i32,
): void {
  let shade = <usize>load<u32>(layers), highlights = <usize>load<u32>(layers, 4);
  for (let row = 0; row < rows; row++, start += bandWidth) {
    let at = start << 2;
    for (let x: isize = 0; x < width; x++, at += 4, coverage++, shade += 3) {
      const mask = <f64>load<u8>(coverage) * scale;
      if (mask != 0) {
        const alpha = <f64>load<f32>(from + at + 3 * PLANE);
        const below: f32 = isOpaque ? 1 : load<f32>(to + at + 3 * PLANE);
        const grown: f32 = isOpaque ? 1 : below + (1 - below) * <f32>mask;
        const divisor = max<f64>(<f64>grown, <f64><f32>LEAST_ALPHA);
        for (let channel: usize = 0; channel < 3; channel++) {
          const plane = to + at + channel * PLANE, surface = load<f64>(tables + SURFACE_LIGHT + (channel << 3));
          const color = lightBetween(tables + LINEAR_LIGHT, load<f32>(from + at + channel * PLANE));
          const albedo = color * alpha + surface * (1 - alpha);
          const reflected = sendBack(tables, albedo, shade + channel, highlights ? highlights + channel : 0);
          const sum = <f64>below * lightBetween(tables + SCENE_LIGHT, load<f32>(plane)) + mask * reflected;
          store<f32>(plane, encodeShare(tables, isOpaque ? sum : sum / divisor));
        }
        if (!isOpaque) store<f32>(to + at + 3 * PLANE, grown);
      }
      if (highlights) highlights += 3;
    }
  }
}

/**
 * out = T(T^-1(scene) + mask (shade albedo + highlights)), for `length` pixels from `scene` on; in the layers
 * of the frame's record the first of them is `pixel`.
 */
export function lightPixels(frame: usize, color: usize, length: usize, pixel: usize, scene: usize): void {
  const tables = <usize>load<u32>(frame, LIGHT_TABLES), scale = load<f64>(frame, OPACITY_SCALE);
  const highlightsLayer = <usize>load<u32>(frame, LIGHT_LAYERS + 4);
  let coverage = <usize>load<u32>(frame, COVERAGE) + pixel;
  let shade = <usize>load<u32>(frame, LIGHT_LAYERS) + pixel * 3;
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

