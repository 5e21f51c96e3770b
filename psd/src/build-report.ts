import { counted } from '@vitrine/engine/counted'
import type { Layer } from 'ag-psd'
import { nameOf } from './compositing/compose-layers.ts'
import type { Reduction } from './converting/area-average.ts'
import { type ChosenColor, findColorLayers, hexOf } from './converting/choose-colors.ts'
import { type ChosenFrame, type FrameCandidate, findHidden, namesOf } from './converting/choose-frames.ts'
import type { Conversion } from './converting/convert.ts'
import { cornersOf } from './converting/frame-geometry.ts'
import { type FrameOperation, walkOperations } from './converting/operation.ts'
import { placeOf } from './converting/place-of.ts'
import { COLOR_BIT } from './converting/reach.ts'
import type { FrameCheck, FrameReport, ImportReport } from './import-report.ts'
import type { ImportNotes } from './notes.ts'
import type { PsdDocument } from './reading/open-document.ts'
import { type Difference, judge } from './verifying/compare.ts'
import type { LeftOvers } from './verifying/find-left-overs.ts'
import type { FrameContent } from './verifying/read-content.ts'

/** The content of each frame by its layer. */
export type Contents = ReadonlyMap<Layer, FrameContent>

/** Builds the report of an import from its findings. */
export function buildReport(from: {
  readonly document: PsdDocument
  readonly reduction: Reduction | null
  readonly candidates: readonly FrameCandidate[]
  readonly chosen: readonly ChosenFrame[]
  readonly colors: readonly ChosenColor[]
  readonly conversion: Conversion
  readonly contents: Contents
  readonly notes: ImportNotes
  readonly differences: readonly Difference[] | null
  readonly leftOvers: LeftOvers | null
}): ImportReport {
  const { document, reduction, candidates, chosen, colors, conversion, contents, notes, differences, leftOvers } = from
  const frames = conversion.frames.map((frame, index) =>
    reportFrame(
      frame,
      chosen.find(({ layer }) => layer === frame.layer)?.chosenBecause ?? '',
      contents.get(frame.layer),
      differences?.[index] ?? null,
    ),
  )
  const all = [...walkOperations(conversion.operations)]
  const countOf = (...kinds: readonly string[]): number => all.filter(({ kind }) => kinds.includes(kind)).length
  const colorCheck = checkOf(differences?.[COLOR_BIT])
  const isBad = [...frames.map(({ check }) => check), colorCheck].some(check => check?.verdict === 'different')
  const isOpen = frames.some(({ check }) => check === null)
  return {
    file: {
      width: document.widthPx,
      height: document.heightPx,
      scene_width: reduction?.reduced.widthPx ?? document.widthPx,
      scene_height: reduction?.reduced.heightPx ?? document.heightPx,
      bits: document.bits,
      layers: conversion.outcomes.length,
      profile: document.profile.name,
      profile_kind: document.profile.kind,
    },
    result: isBad ? 'different' : isOpen ? 'not-verified' : 'verified',
    doubts: [...findDoubts(document), ...(leftOvers ? [describeLeftOvers(leftOvers)] : [])],
    frames,
    colors: colors.map(({ name, layer, color }) => ({
      name,
      layer: nameOf(layer),
      default: hexOf(color),
      check: colorCheck,
    })),
    above: {
      layers: conversion.outcomes.filter(({ outcome }) => outcome === 'above').length,
      pictures: countOf('picture', 'affine'),
      adjustments: countOf('adjust'),
      groups: countOf('group', 'mix'),
    },
    layers: conversion.outcomes,
    notes: notes.list(),
    smart_objects: candidates.map(candidate => ({
      ...placeOf(candidate, document),
      is_frame: chosen.some(({ layer }) => layer === candidate.layer),
    })),
    other_smart_objects: namesOf(candidates.filter(({ layer }) => chosen.every(frame => frame.layer !== layer))),
    hidden_smart_objects: findHidden(document),
    other_colors: findColorLayers(document)
      .filter(layer => colors.every(color => color.layer !== layer))
      .map(nameOf),
  }
}

/** Both pictures of the comparison are assumed to be sRGB, so it cannot detect a wrong profile. */
function findDoubts({ profile }: PsdDocument): readonly string[] {
  if (profile.kind !== 'other') return []
  return [
    `the colours have a profile (${profile.name}) and were taken as sRGB, not converted. Choose Edit > Convert to Profile > sRGB and save again.`,
  ]
}

function describeLeftOvers({ tiles, x, y }: LeftOvers): string {
  return `with another design the old one stays in ${counted(tiles, 'place')}, the first near ${x}, ${y}: a layer that is no frame shows it.`
}

function reportFrame(
  { names, geometry, mode }: FrameOperation,
  chosenBecause: string,
  content: FrameContent | undefined,
  difference: Difference | null,
): FrameReport {
  const { placement, mask } = geometry
  const size = content?.kind === 'picture' ? content.picture : null
  const hasContent = content?.kind === 'picture'
  const reason = hasContent ? 'Photoshop saved no picture of the whole' : content?.reason
  return {
    name: names[0] ?? '',
    kind: cornersOf(geometry) ? 'corners' : 'uvmap',
    width: size?.widthPx ?? Math.round(placement.contentWidth),
    height: size?.heightPx ?? Math.round(placement.contentHeight),
    patches: (placement.sliceX.length - 1) * (placement.sliceY.length - 1),
    blending_mode: mode,
    has_mask: mask !== null,
    chosen_because: chosenBecause,
    check: hasContent ? checkOf(difference) : null,
    reason: hasContent && difference ? null : (reason ?? 'no file is embedded'),
  }
}

function checkOf(difference: Difference | null | undefined): FrameCheck | null {
  if (!difference) return null
  return {
    verdict: judge(difference),
    mean: digits(difference.mean),
    blurred_mean: digits(difference.blurredMean),
    share_above_8: digits(difference.shareAbove8),
  }
}

function digits(value: number): number {
  return Number(value.toFixed(4))
}
