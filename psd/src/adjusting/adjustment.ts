import type { AdjustmentLayer } from 'ag-psd'
import type { Rgb } from '../compositing/blend-formulas.ts'
import { buildTables, type ChannelTable, lookUp } from './channel-tables.ts'
import {
  blackWhite,
  type ColorFormula,
  channelMixer,
  gradientMap,
  photoFilter,
  selectiveColor,
  vibrance,
} from './color-adjustments.ts'
import { hueSaturation } from './hue-saturation.ts'

/** How an adjustment is drawn: a table per channel, a threshold, or a formula on whole colours. */
export type Adjustment =
  | { readonly kind: 'tables'; readonly tables: readonly [ChannelTable, ChannelTable, ChannelTable] }
  | { readonly kind: 'threshold'; readonly level: number }
  | { readonly kind: 'formula'; readonly formula: ColorFormula; readonly isApproximate: boolean }

const probes: readonly Rgb[] = [
  [0, 0, 0],
  [0.2, 0.4, 0.8],
  [1, 1, 1],
]

/** An adjustment by its settings; null for kinds that are not drawn (colour lookup) and for damaged ones. */
export function readAdjustment(layer: AdjustmentLayer): Adjustment | null {
  const adjustment = readSettings(layer)
  return adjustment && isSound(adjustment) ? adjustment : null
}

/** Whether its results are numbers. */
function isSound(adjustment: Adjustment): boolean {
  if (adjustment.kind === 'tables') return adjustment.tables.every(table => table.every(Number.isFinite))
  const formula = adjustmentFormula(adjustment)
  return probes.every(color => formula(color).every(Number.isFinite))
}

function readSettings(layer: AdjustmentLayer): Adjustment | null {
  const tables = buildTables(layer)
  if (tables) return { kind: 'tables', tables }
  const fitted = (formula: ColorFormula) => ({ kind: 'formula' as const, formula, isApproximate: false })
  switch (layer.type) {
    case 'threshold':
      return { kind: 'threshold', level: layer.level ?? 128 }
    case 'hue/saturation':
      return fitted(hueSaturation(layer))
    case 'black & white':
      return fitted(blackWhite(layer))
    case 'channel mixer':
      return fitted(channelMixer(layer))
    case 'photo filter':
      return fitted(photoFilter(layer))
    case 'selective color':
      return fitted(selectiveColor(layer))
    case 'gradient map':
      return layer.gradientType === 'solid' ? fitted(gradientMap(layer)) : null
    case 'vibrance':
      return { ...fitted(vibrance(layer)), isApproximate: (layer.vibrance ?? 0) !== 0 }
    default:
      return null
  }
}

/** An adjustment as a function of a colour, 0..1. */
export function adjustmentFormula(adjustment: Adjustment): ColorFormula {
  switch (adjustment.kind) {
    case 'tables': {
      const [red, green, blue] = adjustment.tables
      return ([r, g, b]) => [lookUp(red, r), lookUp(green, g), lookUp(blue, b)]
    }
    case 'threshold':
      return ([r, g, b]: Rgb) => {
        const value = Math.round((0.3 * r + 0.59 * g + 0.11 * b) * 255) >= adjustment.level ? 1 : 0
        return [value, value, value]
      }
    default:
      return adjustment.formula
  }
}
