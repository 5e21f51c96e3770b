/** Faults that prevent saving a draft, each with the field that it is about. */
import { describeFault, type Fault } from '@vitrine/engine'
import { partNameForm } from '@vitrine/engine/bundle'
import type { Draft } from './draft.ts'
import { isConvex } from './quad.ts'

type FaultPlace =
  | 'name'
  | 'category'
  | 'surface'
  | 'blending'
  /** Not a single field: the photo, a file, the bundle as a whole. */
  | 'bundle'
  | `frame ${number}`
  | `overlay ${number}`
  | `area ${number}`

export type DraftFault = {
  readonly place: FaultPlace
  readonly message: string
  /** A warning does not prevent saving. */
  readonly severity: 'error' | 'warning'
}

/** Faults that drafts of both editors can have. */
export function commonFaultsOf(draft: Pick<Draft, 'name' | 'category'> & { readonly frames: readonly object[] }) {
  const faults: DraftFault[] = []
  const add = (place: FaultPlace, message: string) => faults.push({ place, message, severity: 'error' })
  if (draft.name.trim() === '') add('name', 'Give the template a name.')
  if (draft.category.trim() === '') add('category', 'Give the template a category.')
  if (draft.frames.length === 0) add('bundle', 'Add a frame.')
  return faults
}

export const PART_NAME_FAULT = 'Name the part with a-z, 0-9 and hyphens, such as shirt.'

/** Whether requests may use a name for a part in their colours. */
export const isPartName = (name: string): boolean => partNameForm.test(name)

/**
 * Faults that are shown while a draft is edited, with what to do. Checking and saving find the rest.
 */
export function faultsOf(draft: Draft): DraftFault[] {
  const faults = commonFaultsOf(draft)
  const add = (place: FaultPlace, message: string) => faults.push({ place, message, severity: 'error' })
  for (const [index, frame] of draft.frames.entries()) {
    if (frame.corners !== null && !isConvex(frame.corners))
      add(`frame ${index}`, `Frame ${index + 1} crosses itself: move its corners apart.`)
  }
  for (const [index, area] of draft.areas.entries()) {
    const add = (message: string) => faults.push({ place: `area ${index}`, message, severity: 'error' })
    if (!isPartName(area.name)) add(PART_NAME_FAULT)
    if (draft.areas.some((other, before) => before < index && other.name === area.name))
      add('Another part has this name.')
  }
  return faults
}

/** Unfinished parts: they prevent saving, but are no faults while the user works on them. */
export function unfinishedOf(draft: Draft): DraftFault[] {
  const { drawing, frames, areas } = draft
  const missing = areas.flatMap(({ id, mask }, index): DraftFault[] =>
    mask.kind !== 'none' || drawing?.frameId === id
      ? []
      : [{ place: `area ${index}`, message: 'Draw the part, or upload its mask.', severity: 'error' }],
  )
  if (drawing === null) return missing
  const frame = frames.findIndex(({ id }) => id === drawing.frameId)
  const area = areas.findIndex(({ id }) => id === drawing.frameId)
  const place: FaultPlace = frame >= 0 ? `frame ${frame}` : area >= 0 ? `area ${area}` : 'bundle'
  const message = `Finish or cancel the ${place === 'bundle' ? 'frame' : 'shape'} that you are drawing.`
  return [...missing, { place, message, severity: 'error' }]
}

const fields: Readonly<Record<string, FaultPlace>> = {
  name: 'name',
  category: 'category',
  surface_type: 'surface',
  blending_mode: 'blending',
}

const placeNames: Readonly<Record<string, 'frame' | 'overlay' | 'area'>> = {
  frames: 'frame',
  overlays: 'overlay',
  colors: 'area',
}

/** A fault of the bundle made from a draft, as one of the draft's field. */
export function faultOfBundle(fault: Fault): DraftFault {
  const [, list, index] = /^(frames|overlays|colors)\[(\d+)\]/.exec(fault.field) ?? []
  const place: FaultPlace =
    index === undefined ? (fields[fault.field] ?? 'bundle') : `${placeNames[list ?? ''] ?? 'frame'} ${Number(index)}`
  return { place, message: describeFault(fault), severity: fault.severity }
}

/** The message under a field, or undefined if it has no fault. */
export function errorAt(faults: readonly DraftFault[], place: FaultPlace): string | undefined {
  const found = faults.filter(fault => fault.place === place).map(({ message }) => message)
  return found.length === 0 ? undefined : found.join(' ')
}
