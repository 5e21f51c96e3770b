import type { Layer, PlacedLayer } from 'ag-psd'
import { nameOf } from '../compositing/compose-layers.ts'
import { MAX_FRAMES } from '../limits.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import { PsdRefusedError } from '../refused-error.ts'

/** A smart object that could carry artwork. */
export type FrameCandidate = {
  readonly layer: Layer
  readonly placed: PlacedLayer
  readonly name: string
  /** names of its groups, the outermost first */
  readonly groups: readonly string[]
  /** how clearly its name says that the design goes here; 0: not at all */
  readonly score: number
  /** filters that would have to move the design's pixels and are not drawn */
  readonly undrawnFilters: readonly string[]
}

/** Names that say "your design goes here", the clearest first. */
const wanted = [
  /your\s*(design|art|artwork|logo|image|photo|screen|poster|label|preview)/i,
  /(design|art|artwork|logo|image|photo|poster)\s*here/i,
  /^@/,
  /double[- ]?click|(replace|change|edit|insert|place)\b|smart\s*object/i,
  /design|artwork|poster|label|screen|print|cover|photo/i,
] as const

/** The same of text layers, which are not frames. */
const wantedText = /your\s*(text|name|title|brand)|(text|name|title)\s*here/i

/** Filters that move pixels: without them the design lies flat. Others change it in place. */
const movingFilters: ReadonlySet<string> = new Set([
  'displace',
  'liquify',
  'perspective warp',
  'puppet',
  'pinch',
  'polar coordinates',
  'ripple',
  'shear',
  'spherize',
  'twirl',
  'wave',
  'zigzag',
  'offset',
])

const MOST_WITHOUT_NAME = 4

/** Visible smart objects from the bottom to the top. */
export function findCandidates({ layers, parentOf }: PsdDocument): FrameCandidate[] {
  const all: FrameCandidate[] = []
  const visit = (list: readonly Layer[]): void => {
    for (const layer of list) {
      if (layer.hidden) continue
      if (layer.children) visit(layer.children)
      const placed = layer.placedLayer
      if (placed) all.push(describeCandidate(layer, placed, parentOf))
    }
  }
  visit(layers)
  return all
}

/** Names of hidden smart objects, which are not frames. */
export function findHidden({ layers }: PsdDocument): string[] {
  const names: string[] = []
  const visit = (list: readonly Layer[], isHidden: boolean): void => {
    for (const layer of list) {
      const hidden = isHidden || layer.hidden === true
      if (layer.children) visit(layer.children, hidden)
      if (layer.placedLayer && hidden) names.push(nameOf(layer))
    }
  }
  visit(layers, false)
  return names
}

function describeCandidate(layer: Layer, placed: PlacedLayer, parentOf: ReadonlyMap<Layer, Layer>): FrameCandidate {
  const groups: string[] = []
  for (let parent = parentOf.get(layer); parent; parent = parentOf.get(parent)) groups.unshift(nameOf(parent))
  const filters = placed.filter?.enabled === false ? [] : (placed.filter?.list ?? [])
  const undrawnFilters = filters
    .filter(({ type, enabled }) => enabled && movingFilters.has(type))
    .map(({ type }) => type)
  // A group's name counts less than the layer's own.
  const score = Math.max(2 * scoreName(nameOf(layer)), ...groups.map(scoreName))
  return { layer, placed, name: nameOf(layer), groups, score, undrawnFilters }
}

function scoreName(name: string): number {
  const found = wanted.findIndex(form => form.test(name))
  return found < 0 ? 0 : wanted.length - found
}

/**
 * The frames: those that the user names, else those whose names say so, else all where there are few.
 * @throws PsdRefusedError with what to do
 */
export function chooseFrames(
  document: PsdDocument,
  candidates: readonly FrameCandidate[],
  names: readonly string[],
): readonly FrameCandidate[] {
  if (candidates.length === 0) throw new PsdRefusedError(explainNone(document))
  const chosen = names.length > 0 ? byName(candidates, names) : propose(candidates)
  if (chosen.length > MAX_FRAMES) {
    throw new PsdRefusedError(
      `This file has ${chosen.length} smart objects for designs, and a template up to ${MAX_FRAMES}. Choose those that become frames.`,
      namesOf(candidates),
    )
  }
  if (names.length === 0) {
    const flat = chosen.find(({ undrawnFilters }) => undrawnFilters.length > 0)
    if (flat) {
      throw new PsdRefusedError(
        `The filter "${flat.undrawnFilters[0]}" on "${flat.name}" cannot be drawn. Without it the design lies flat. Choose the frame yourself to import it anyway.`,
        namesOf(candidates),
      )
    }
  }
  return chosen
}

function byName(candidates: readonly FrameCandidate[], names: readonly string[]): readonly FrameCandidate[] {
  for (const name of names) {
    if (candidates.some(candidate => candidate.name === name)) continue
    throw new PsdRefusedError(`No visible smart object is called "${name}". There are others.`, namesOf(candidates))
  }
  return candidates.filter(({ name }) => names.includes(name))
}

function propose(candidates: readonly FrameCandidate[]): readonly FrameCandidate[] {
  const named = candidates.filter(({ score }) => score > 0)
  if (named.length > 0) {
    const clearest = Math.max(...named.map(({ score }) => score))
    const labels = new Set(named.filter(({ score }) => score === clearest).map(({ layer }) => layer.layerColor))
    // Designers mark the layers to edit by one colour: it decides where several names fit.
    const isMarked = labels.size === 1 && !labels.has('none') && !labels.has(undefined)
    return named.filter(({ score, layer }) => score === clearest || (isMarked && labels.has(layer.layerColor)))
  }
  if (candidates.length <= MOST_WITHOUT_NAME) return candidates
  throw new PsdRefusedError(
    `This file has ${candidates.length} smart objects, and no name says which are for designs. Choose those that become frames.`,
    namesOf(candidates),
  )
}

/** Each name once. */
function namesOf(candidates: readonly FrameCandidate[]): string[] {
  return [...new Set(candidates.map(({ name }) => name))]
}

function explainNone(document: PsdDocument): string {
  const hidden = findHidden(document)
  if (hidden.length > 0) {
    return `This file has no visible smart object; hidden: "${hidden[0]?.slice(0, 60)}". Show the layer for the design and save again.`
  }
  const text = findText(document.layers)
  if (text !== null) return `"${text.slice(0, 60)}" is a text layer; convert it to a smart object to make it a frame.`
  return 'This file has no smart object. In Photoshop, convert the layer that shows the design to a smart object.'
}

function findText(layers: readonly Layer[]): string | null {
  for (const layer of layers) {
    const isDesign = scoreName(nameOf(layer)) > 0 || wantedText.test(nameOf(layer))
    if (layer.text && !layer.hidden && isDesign) return nameOf(layer)
    const inside = layer.children ? findText(layer.children) : null
    if (inside !== null) return inside
  }
  return null
}
