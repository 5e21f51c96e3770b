import { xyzFromLab } from '@vitrine/engine'
import type { Color, LAB } from 'ag-psd'
import type { Rgb } from './blend-formulas.ts'
import { fromXyz, toEncoded, toXyz } from './light.ts'

/** A colour of an effect or a fill, 0..1. Colours of unsupported models become black or the nearest grey. */
export function readColor(color: Color | undefined): Rgb {
  if (!color) return [0, 0, 0]
  if ('r' in color) return [color.r / 255, color.g / 255, color.b / 255]
  if ('fr' in color) return [color.fr, color.fg, color.fb]
  if ('h' in color) return fromHsb(color.h, fraction(color.s), fraction(color.b))
  if ('c' in color) {
    const ink = 1 - color.k / 100
    return [(1 - color.c / 100) * ink, (1 - color.m / 100) * ink, (1 - color.y / 100) * ink]
  }
  if ('l' in color) return fromLab(color)
  const grey = 1 - color.k / 100
  return [grey, grey, grey]
}

/** ag-psd gives L, a and b as such, or as fractions of 100 and of 127 (128 below zero). */
function fromLab({ l, a, b }: LAB): Rgb {
  const isWhole = l > 1
  const full = (value: number): number => (isWhole ? value : value * (value < 0 ? 128 : 127))
  return toEncoded(fromXyz(xyzFromLab([isWhole ? l : 100 * l, full(a), full(b)], toXyz([1, 1, 1]))))
}

/** Descriptors have percentages in fields that ag-psd documents as fractions. */
function fraction(value: number): number {
  return value > 1 ? value / 100 : value
}

function fromHsb(hue: number, saturation: number, brightness: number): Rgb {
  const channel = (offset: number): number => {
    const k = (offset + hue * 6) % 6
    return brightness * (1 - saturation * Math.max(0, Math.min(k, 4 - k, 1)))
  }
  return [channel(5), channel(3), channel(1)]
}
