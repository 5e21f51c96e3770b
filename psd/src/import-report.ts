import { counted } from '@vitrine/engine/counted'
import type { LayerOutcome } from './converting/layer-outcome.ts'
import type { ImportNote } from './notes.ts'
import type { ColorProfile } from './reading/color-profile.ts'
import type { Verdict } from './verifying/compare.ts'

/** What an import found and did, as data. It is stored in the bundle as import.json. */
export type ImportReport = {
  readonly file: {
    readonly width: number
    readonly height: number
    /** of the template: smaller than the canvas if requested */
    readonly scene_width: number
    readonly scene_height: number
    readonly bits: number
    readonly layers: number
    /** of the document's colours; null for sRGB or none */
    readonly profile: string | null
    /** "converted": to sRGB; "none" and "other": the colours were taken as sRGB */
    readonly profile_kind: ColorProfile['kind']
  }
  /** "verified": each frame was compared with Photoshop's own picture and is the same or close */
  readonly result: 'verified' | 'different' | 'not-verified'
  /** what the comparison cannot detect: the template may be wrong although its frames are verified */
  readonly doubts: readonly string[]
  readonly frames: readonly FrameReport[]
  readonly colors: readonly ColorReport[]
  readonly above: {
    readonly layers: number
    readonly pictures: number
    readonly adjustments: number
    readonly groups: number
  }
  /** the outcome of each visible layer, from the bottom to the top; a group drawn as a whole counts as one */
  readonly layers: readonly LayerOutcome[]
  readonly notes: readonly ImportNote[]
  /** every visible smart object, and where it lies */
  readonly smart_objects: readonly SmartObjectReport[]
  /** visible smart objects that are not frames */
  readonly other_smart_objects: readonly string[]
  readonly hidden_smart_objects: readonly string[]
  /** visible layers of one colour that are not colours of the template */
  readonly other_colors: readonly string[]
}

type SmartObjectReport = SmartObjectPlace & { readonly is_frame: boolean }

/** `outline`: around a smart object, in shares of the picture; empty if its warp is not supported. */
export type SmartObjectPlace = {
  readonly name: string
  readonly outline: readonly (readonly [x: number, y: number])[]
}

/** A colour that requests may change. */
type ColorReport = {
  readonly name: string
  readonly layer: string
  /** #rrggbb */
  readonly default: string
  /** where any of the colours shows */
  readonly check: FrameCheck | null
}

export type FrameReport = {
  readonly name: string
  readonly kind: 'corners' | 'uvmap'
  /** of the content, in its own pixels */
  readonly width: number
  readonly height: number
  readonly patches: number
  readonly blending_mode: string
  readonly has_mask: boolean
  readonly chosen_because: string
  /** null if nothing could be compared; `reason` says why */
  readonly check: FrameCheck | null
  readonly reason: string | null
}

/** Differences in 255ths; shares 0..1. */
export type FrameCheck = {
  readonly verdict: Verdict
  readonly mean: number
  readonly blurred_mean: number
  readonly share_above_8: number
}

/** The report in lines of text. `name`: of the file. */
export function describeReport(report: ImportReport, name: string): string[] {
  const { file, frames, colors, above, notes, doubts } = report
  const { width, height, scene_width, scene_height, bits, layers } = file
  const reduced = scene_width !== width ? ` (reduced to ${scene_width} x ${scene_height})` : ''
  const lines = [
    `${name}  ${width} x ${height}${reduced}, ${bits} bits, ${describeProfile(file)}, ${counted(layers, 'layer')}`,
  ]
  for (const frame of frames) {
    lines.push(`  frame  "${frame.name}"   ${describeFrame(frame)}`, `         because ${frame.chosen_because}`)
  }
  for (const { name: color, layer, default: value, check } of colors) {
    lines.push(`  color  "${color}"   ${value}, from the layer "${layer}"        ${describeColorCheck(check)}`)
  }
  if (above.layers > 0) lines.push(`  above  ${describeAbove(above)}`)
  for (const { kind, layer, text } of notes) {
    lines.push(`  ${kind === 'left-out' ? 'left out' : kind}  ${layer === '' ? '' : `"${layer}": `}${text}`)
  }
  for (const doubt of doubts) lines.push(`  in doubt  ${doubt}`)
  if (report.other_smart_objects.length > 0) {
    lines.push(`  not frames  ${quoted(report.other_smart_objects)}: --frame NAME chooses another`)
  }
  if (report.other_colors.length > 0) {
    lines.push(`  not colours  ${quoted(report.other_colors)}: --color NAME=LAYER makes one a colour of the template`)
  }
  if (report.hidden_smart_objects.length > 0)
    lines.push(`  hidden  ${quoted(report.hidden_smart_objects)}: left out until it is shown in Photoshop`)
  return lines
}

function describeProfile({ profile, profile_kind }: ImportReport['file']): string {
  if (profile_kind === 'srgb') return 'sRGB'
  return `${profile ?? 'no profile'} (${profile_kind === 'converted' ? 'converted to' : 'taken as'} sRGB)`
}

function describeFrame(frame: FrameReport): string {
  const shape = frame.kind === 'corners' ? 'four corners' : `a warp of ${counted(frame.patches, 'patch', 'patches')}`
  const parts = [`${frame.width} x ${frame.height}`, shape, frame.blending_mode, ...(frame.has_mask ? ['mask'] : [])]
  return `${parts.join(', ')}        ${describeCheck(frame)}`
}

function describeCheck({ check, reason }: FrameReport): string {
  return check ? describeFigures(check) : `not verified: ${reason}`
}

function describeColorCheck(check: FrameCheck | null): string {
  return check ? describeFigures(check) : 'not verified'
}

function describeFigures(check: FrameCheck): string {
  const share = `${(check.share_above_8 * 100).toFixed(1)} % of the pixels by more than 8`
  const words = { same: 'verified', close: 'verified, close', different: 'DIFFERENT' }[check.verdict]
  return `${words}: ${check.blurred_mean.toFixed(2)} of 255 from Photoshop on average, ${share}`
}

function describeAbove({ layers, pictures, adjustments, groups }: ImportReport['above']): string {
  const parts = [
    ...(pictures > 0 ? [counted(pictures, 'picture')] : []),
    ...(adjustments > 0 ? [counted(adjustments, 'adjustment')] : []),
    ...(groups > 0 ? [counted(groups, 'group')] : []),
  ]
  const over = `${counted(layers, 'layer')} over the design`
  return parts.length > 0 ? `${over}, drawn as ${parts.join(', ')}` : over
}

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, 12).map(name => `"${name}"`)
  return names.length > 12 ? `${shown.join(', ')} and ${names.length - 12} more` : shown.join(', ')
}
