import type { ProfileConversion } from '@vitrine/engine'
import { type Adjustment, adjustmentFormula } from '../adjusting/adjustment.ts'
import type { Rgb } from '../compositing/blend-formulas.ts'
import type { FloatPicture } from '../compositing/float-picture.ts'
import type { ColorProfile } from '../reading/color-profile.ts'
import type { FrameEffect, Operation } from './operation.ts'

/** Converts the colours of a document and back: to sRGB; for embedded files to the outer document's. */
type ColorConversion = Pick<ProfileConversion, 'toSrgb' | 'fromSrgb'>

/**
 * Converts the colours of a file to those of the document in which it is placed. Null if they are the same,
 * or one has no profile; "unknown" if a profile cannot be read.
 */
export function conversionInto(file: ColorProfile, document: ColorProfile): ColorConversion | 'unknown' | null {
  if (file.name === document.name || file.kind === 'none' || document.kind === 'none') return null
  if (file.kind === 'other' || document.kind === 'other') return 'unknown'
  const [from, to] = [file.conversion, document.conversion]
  if (!to) return from
  return {
    toSrgb: colors => {
      from?.toSrgb(colors)
      for (let i = 0; i < colors.length; i += 3) {
        colors.set(to.fromSrgb([colors[i] ?? 0, colors[i + 1] ?? 0, colors[i + 2] ?? 0]), i)
      }
    },
    fromSrgb: color => {
      const inSrgb = colorInSrgb(color, to)
      return from ? from.fromSrgb(inSrgb) : inSrgb
    },
  }
}

/** One colour, 0..1. */
export function colorInSrgb(color: Rgb, conversion: ColorConversion): Rgb {
  const converted = Float32Array.from(color)
  conversion.toSrgb(converted)
  const [red = 0, green = 0, blue = 0] = converted
  return [red, green, blue]
}

/** Converts the colours of a picture, in place. */
export function pictureInSrgb(picture: FloatPicture, conversion: ColorConversion): FloatPicture {
  conversion.toSrgb(picture.color)
  return picture
}

/**
 * Operations of a document with a profile, for a scene in sRGB: pictures are drawn in the document's colours
 * and converted. Changeable colours are already sRGB; thresholds stay.
 */
export function operationsInSrgb(operations: readonly Operation[], conversion: ColorConversion): Operation[] {
  const inside = (list: readonly Operation[]): Operation[] => operationsInSrgb(list, conversion)
  return operations.map((operation): Operation => {
    switch (operation.kind) {
      case 'picture':
        return { ...operation, draw: rect => pictureInSrgb(operation.draw(rect), conversion) }
      case 'frame':
        return {
          ...operation,
          inner: inside(operation.inner),
          effects: operation.effects.map(effect => effectInSrgb(effect, conversion)),
        }
      case 'adjust':
        return { ...operation, adjustment: adjustmentInSrgb(operation.adjustment, conversion) }
      case 'group':
        return { ...operation, operations: inside(operation.operations), clip: inside(operation.clip) }
      case 'mix':
        return { ...operation, operations: inside(operation.operations) }
      case 'color':
        return operation
      default:
        throw new Error('Pictures are joined to affine ones after they were converted.')
    }
  })
}

function effectInSrgb(effect: FrameEffect, conversion: ColorConversion): FrameEffect {
  if (effect.kind !== 'picture') return { ...effect, color: colorInSrgb(effect.color, conversion) }
  const { picture } = effect
  return { ...effect, picture: { ...picture, draw: rect => pictureInSrgb(picture.draw(rect), conversion) } }
}

/** Tables by channel become a formula: in another colour space the channels are mixed. */
function adjustmentInSrgb(adjustment: Adjustment, conversion: ColorConversion): Adjustment {
  if (adjustment.kind === 'threshold') return adjustment
  const formula = adjustmentFormula(adjustment)
  return {
    kind: 'formula',
    isApproximate: adjustment.kind === 'formula' && adjustment.isApproximate,
    formula: color => colorInSrgb(formula(conversion.fromSrgb(color)), conversion),
  }
}
