import { blendChunk, buildBlending } from '../blending/blend-chunk.ts'
import { linearOf } from '../hex-color.ts'
import { encodeLight, sendBack } from '../lighting/light-chunk.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { dyeRatio, type PreparedColorArea } from './color-area.ts'
import { type LightRange, RimGround } from './rim-ground.ts'

/** Recolours a colour area of a scene in place, before frames and overlays are drawn. */
export function drawColorArea(scene: OpaquePixmap, area: PreparedColorArea): void {
  if (area.light) drawLit(scene, area, area.light)
  else if (area.blendMode === 'multiply') drawMultiplied(scene, area)
  else drawBlended(scene, area)
}

/**
 * out = T(ground + mask (shade color + highlights)), in linear light: the formula of lit frames, over the
 * ground, which is the scene without the area. Pixels that the area covers completely have no ground.
 */
function drawLit(scene: OpaquePixmap, area: PreparedColorArea, light: NonNullable<PreparedColorArea['light']>): void {
  const { region, coverage, tone, from, to } = area
  const { lightFromByte } = tone
  const [before, after] = [linearOf(from), linearOf(to)]
  const ground = new RimGround(scene, area)
  for (let y = 0, i = 0; y < region.heightPx; y++) {
    let byte = ((region.top + y) * scene.widthPx + region.left) * 3
    for (let x = 0; x < region.widthPx; x++, i++, byte += 3) {
      const mask = (coverage[i] ?? 0) / 255
      if (mask === 0) continue
      const range = ground.rangeAt(x, y)
      for (let channel = 0; channel < 3; channel++) {
        let rest = 0
        if (range) {
          const seen = lightFromByte[scene.data[byte + channel] ?? 0] ?? 0
          rest = clampTo(range, channel, seen - mask * sendBack(light.from, before[channel] ?? 0, 3 * i + channel))
        }
        scene.data[byte + channel] = encodeLight(
          tone,
          rest + mask * sendBack(light.to, after[channel] ?? 0, 3 * i + channel),
        )
      }
    }
  }
}

/** out = T(scene (1 - mask + mask color / default)), in linear light: the photograph provides the shade. */
function drawMultiplied(scene: OpaquePixmap, area: PreparedColorArea): void {
  const { region, coverage, tone, from, to } = area
  const { lightFromByte } = tone
  const ratios = dyeRatio(from, to)
  for (let y = 0, i = 0; y < region.heightPx; y++) {
    let byte = ((region.top + y) * scene.widthPx + region.left) * 3
    for (let x = 0; x < region.widthPx; x++, i++, byte += 3) {
      const mask = (coverage[i] ?? 0) / 255
      if (mask === 0) continue
      for (let channel = 0; channel < 3; channel++) {
        const seen = lightFromByte[scene.data[byte + channel] ?? 0] ?? 0
        scene.data[byte + channel] = encodeLight(tone, seen * (1 - mask + mask * (ratios[channel] ?? 0)))
      }
    }
  }
}

/** Blends the colour with the area's blend mode in encoded sRGB, like artwork. */
function drawBlended(scene: OpaquePixmap, { region, coverage, blendMode, to }: PreparedColorArea): void {
  const { left, top, widthPx, heightPx } = region
  const row = new Uint8Array(4 * widthPx)
  for (let x = 0; x < widthPx; x++) row.set([to.red, to.green, to.blue, 255], 4 * x)
  const blending = buildBlending(blendMode)
  for (let y = 0; y < heightPx; y++) {
    const sceneByte = ((top + y) * scene.widthPx + left) * 3
    blendChunk(blending, 1, widthPx, row, 0, coverage, y * widthPx, scene.data, sceneByte)
  }
}

function clampTo({ share, least, greatest }: LightRange, channel: number, light: number): number {
  const low = share * (least[channel] ?? 0)
  const high = share * (greatest[channel] ?? 0)
  return light < low ? low : light > high ? high : light
}
