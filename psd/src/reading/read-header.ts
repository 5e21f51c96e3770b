import { MAX_CANVAS_PIXELS, MAX_CANVAS_SIDE_PX } from '../limits.ts'
import { PsdRefusedError } from '../refused-error.ts'
import type { BoundedView } from './bounded-view.ts'

/** The first 26 bytes of a PSD or PSB of a supported kind. */
export type PsdHeader = {
  readonly isLarge: boolean
  readonly channelCount: number
  readonly widthPx: number
  readonly heightPx: number
  readonly bits: 8 | 16
  readonly isGrey: boolean
}

const GREY = 1
const RGB = 3

const colorModes: Readonly<Record<number, string>> = {
  0: 'a bitmap',
  2: 'in indexed colour',
  4: 'in CMYK',
  7: 'in multichannel mode',
  8: 'a duotone',
  9: 'in Lab',
}

/** Throws PsdRefusedError if it is no Photoshop file; for an unsupported colour mode, with its name. */
export function readHeader(view: BoundedView): PsdHeader {
  if (view.sizeBytes < 26 || view.text(0, 4) !== '8BPS') {
    throw new PsdRefusedError('This is not a Photoshop file: a PSD or PSB begins with "8BPS".')
  }
  const version = view.u16(4)
  if (version !== 1 && version !== 2) throw new PsdRefusedError(`This is a PSD of an unknown version (${version}).`)
  const channelCount = view.u16(12)
  const [heightPx, widthPx, bits, mode] = [view.u32(14), view.u32(18), view.u16(22), view.u16(24)]
  if (mode !== RGB && mode !== GREY) {
    throw new PsdRefusedError(
      `This file is ${colorModes[mode] ?? 'in an unknown colour mode'}. Choose Image > Mode > RGB Color and 8 Bits/Channel and save again.`,
    )
  }
  if (bits !== 8 && bits !== 16) {
    throw new PsdRefusedError(
      `This file has ${bits} bits per channel. Choose Image > Mode > 8 Bits/Channel and save again.`,
    )
  }
  if (widthPx === 0 || heightPx === 0) {
    throw new PsdRefusedError(
      `This file is damaged: its canvas has ${widthPx} x ${heightPx} pixels. Save it again in Photoshop.`,
    )
  }
  if (Math.max(widthPx, heightPx) > MAX_CANVAS_SIDE_PX || widthPx * heightPx > MAX_CANVAS_PIXELS) {
    throw new PsdRefusedError(
      `The canvas of ${widthPx} x ${heightPx} pixels is too large: up to ${MAX_CANVAS_SIDE_PX} a side and ${MAX_CANVAS_PIXELS / 1e6} megapixels are read. Choose Image > Image Size and save again.`,
    )
  }
  const isGrey = mode === GREY
  if (channelCount < (isGrey ? 1 : 3) || channelCount > 56) {
    throw new PsdRefusedError(`This file is damaged: it has ${channelCount} channels. Save it again in Photoshop.`)
  }
  return { isLarge: version === 2, channelCount, widthPx, heightPx, bits, isGrey }
}
