import type { Filter, Layer, LinkedFile, PlacedLayer } from 'ag-psd'
import { nameOf } from '../compositing/compose-layers.ts'
import {
  type Displacement,
  type DisplacementMaps,
  displacementOf,
  isDrawnDisplace,
  neededMaps,
} from '../geometry/displacement.ts'
import { isDrawnWarp } from '../geometry/perspective-warp.ts'
import { placementOf } from '../geometry/placement.ts'
import { MAX_FRAMES } from '../limits.ts'
import { readFilterMask } from '../reading/filter-mask.ts'
import { isPhotoshopFile, openDocument, type PsdDocument } from '../reading/open-document.ts'
import { PsdRefusedError } from '../refused-error.ts'
import { namesProduct, scoreName } from './design-names.ts'

/** A smart object that could carry artwork. */
export type FrameCandidate = {
  readonly layer: Layer
  readonly placed: PlacedLayer
  /** the file that has the layer */
  readonly document: PsdDocument
  /** the smart objects that contain it, the outermost first */
  readonly cards: readonly Card[]
  /** the file that is imported */
  readonly outermost: PsdDocument
  /** preceded by the names of the cards that contain it: "Card / Your design" */
  readonly name: string
  /** names of its groups, the outermost first */
  readonly groups: readonly string[]
  /** how clearly its name says that the design belongs there; 0: not at all */
  readonly score: number
  /** filters that move the design's pixels in Photoshop, and are not drawn */
  readonly undrawnFilters: readonly string[]
  /** how its filters move its pixels */
  readonly displacement: Displacement | null
  /** names of missing maps, by which its filters move its pixels */
  readonly missingMaps: readonly string[]
}

/** Names of text layers that address the buyer, and are not frames. */
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

/** A smart object that is this many times smaller than the largest of its rank is an ornament or an icon. */
const MOST_TIMES_SMALLER = 100

/** If no name decides, the largest is the frame if it is this many times larger than all others. */
const TIMES_LARGER = 5

/** The greatest depth of nested smart objects, and number of embedded files, that are searched. */
const MOST_CARDS = 3
const MOST_FILES = 24

/** "your design", "design here" and similar names: a nested smart object needs one as clear. */
const CLEAR_SCORE = 8
/** "double click", "replace": a smart object with such a name is replaced as a whole. */
const ACTION_SCORE = 4

/** A smart object with a Photoshop file in it. `document`: that file. */
export type Card = Pick<FrameCandidate, 'layer' | 'placed'> & { readonly document: PsdDocument }

/** A frame, and the report's reason why it is one. */
export type ChosenFrame = FrameCandidate & { readonly chosenBecause: string }

/**
 * Visible smart objects from the bottom to the top, followed by those in placed Photoshop files. `maps`: the
 * maps of Displace filters.
 */
export function findCandidates(document: PsdDocument, maps: DisplacementMaps = new Map()): FrameCandidate[] {
  const all: FrameCandidate[] = []
  const opened = new Map<LinkedFile, PsdDocument | null>()
  const visit = (list: readonly Layer[], within: PsdDocument, cards: readonly Card[]): void => {
    for (const layer of list) {
      if (layer.hidden) continue
      if (layer.children) visit(layer.children, within, cards)
      const placed = layer.placedLayer
      if (!placed) continue
      all.push(describeCandidate(layer, placed, within, cards, document, maps))
      const inside = cards.length < MOST_CARDS ? openCard(placed, within, opened) : null
      if (inside) visit(inside.layers, inside, [...cards, { layer, placed, document: inside }])
    }
  }
  visit(document.layers, document, [])
  return all
}

/** The Photoshop file in a smart object; null if there is none, or it cannot be read. */
function openCard(
  { id }: PlacedLayer,
  { linkedFiles }: PsdDocument,
  opened: Map<LinkedFile, PsdDocument | null>,
): PsdDocument | null {
  const file = linkedFiles.find(each => each.id === id)
  if (!file?.data || !isPhotoshopFile(file.data)) return null
  const known = opened.get(file)
  if (known !== undefined) return known
  const document = opened.size < MOST_FILES ? tryOpen(file.data) : null
  opened.set(file, document)
  return document
}

function tryOpen(bytes: Uint8Array): PsdDocument | null {
  try {
    return openDocument(bytes)
  } catch (error) {
    if (error instanceof PsdRefusedError) return null
    throw error
  }
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

/** Those that are switched on and not drawn as a warp. */
function filtersThatMove({ filter }: PlacedLayer): readonly Filter[] {
  const list = filter?.enabled === false ? [] : (filter?.list ?? [])
  return list.filter(each => each.enabled && movingFilters.has(each.type) && !isDrawnWarp(each))
}

function hasCorners(placed: PlacedLayer): boolean {
  try {
    return placementOf(placed).quad !== null
  } catch (error) {
    if (error instanceof PsdRefusedError) return false
    throw error
  }
}

function describeCandidate(
  layer: Layer,
  placed: PlacedLayer,
  document: PsdDocument,
  cards: readonly Card[],
  outermost: PsdDocument,
  maps: DisplacementMaps,
): FrameCandidate {
  const groups: string[] = []
  for (let parent = document.parentOf.get(layer); parent; parent = document.parentOf.get(parent)) {
    groups.unshift(nameOf(parent))
  }
  // What moves in an embedded file is moved where the file is placed, if four corners say where.
  const isMovable = cards.every(card => hasCorners(card.placed))
  const undrawnFilters = [
    ...filtersThatMove(placed).filter(filter => !(isMovable && isDrawnDisplace(filter, maps))),
    ...cards.flatMap(card => filtersThatMove(card.placed)),
  ].map(({ type }) => type)
  const canvas = { left: 0, top: 0, widthPx: document.widthPx, heightPx: document.heightPx }
  const mask = readFilterMask(placed, document.filterMasks, canvas)
  const displacement = isMovable ? displacementOf(placed, maps, canvas, mask === 'unread' ? null : mask) : null
  const missingMaps = isMovable ? neededMaps(placed).filter(map => !maps.has(map.toLowerCase())) : []
  // A group's name counts less than the layer's own.
  const score = Math.max(2 * scoreName(nameOf(layer)), ...groups.map(scoreName))
  const name = [...cards.map(card => nameOf(card.layer)), nameOf(layer)].join(' / ')
  const isOfCard = cards.some(card => 2 * scoreName(nameOf(card.layer)) >= ACTION_SCORE)
  const isUnclear = cards.length > 0 && (score < CLEAR_SCORE || isOfCard)
  return {
    layer,
    placed,
    document,
    cards,
    outermost,
    name,
    groups,
    score: isUnclear ? 0 : score,
    undrawnFilters,
    displacement,
    missingMaps,
  }
}

/**
 * The frames: those that the user names, otherwise those whose names say so, otherwise the largest, or all if
 * there are few.
 * Photoshop changes every instance of an edited smart object, so instances of a frame are frames too.
 * @throws PsdRefusedError with what to do
 */
export function chooseFrames(
  document: PsdDocument,
  candidates: readonly FrameCandidate[],
  names: readonly string[],
): readonly ChosenFrame[] {
  if (candidates.length === 0) throw new PsdRefusedError(explainNone(document))
  const first = names.length > 0 ? byName(candidates, names) : propose(candidates)
  const chosen = withInstances(candidates, first)
  checkNesting(chosen)
  if (chosen.length > MAX_FRAMES) {
    throw new PsdRefusedError(
      `This file has ${chosen.length} smart objects for designs, and a template up to ${MAX_FRAMES}. Choose those that become frames.`,
      namesOf(candidates),
    )
  }
  if (names.length === 0) {
    const flat = chosen.find(({ undrawnFilters }) => undrawnFilters.length > 0)
    const [map] = flat?.missingMaps ?? []
    if (flat && map !== undefined) {
      throw new PsdRefusedError(
        `The filter "displace" on "${flat.name}" moves the design by the file "${map}", which is not in this one. Choose that map in the dashboard, or put it into the same folder and run "vitrine template import" there; or choose the frame yourself to import it lying flat.`,
        namesOf(candidates),
        missingMapsOf(chosen),
      )
    }
    if (flat) {
      const [filter] = flat.undrawnFilters
      const isNested = filter === 'displace' && flat.cards.length > 0
      throw new PsdRefusedError(
        `The filter "${filter}" on "${flat.name}" cannot be drawn${isNested ? ' where smart objects are nested' : ''}. Without it the design lies flat. Choose the frame yourself to import it anyway.`,
        namesOf(candidates),
      )
    }
  }
  return chosen
}

/** Names of maps that are not there, each once. */
export function missingMapsOf(candidates: readonly FrameCandidate[]): readonly string[] {
  return [...new Set(candidates.flatMap(({ missingMaps }) => missingMaps))]
}

function byName(candidates: readonly FrameCandidate[], names: readonly string[]): readonly ChosenFrame[] {
  for (const name of names) {
    if (candidates.some(candidate => candidate.name === name)) continue
    throw new PsdRefusedError(`No visible smart object is called "${name}". There are others.`, namesOf(candidates))
  }
  return because(
    'it was chosen by its name',
    candidates.filter(({ name }) => names.includes(name)),
  )
}

function propose(candidates: readonly FrameCandidate[]): readonly ChosenFrame[] {
  const named = withoutOrnaments(candidates.filter(({ score }) => score > 0))
  if (named.length > 0) {
    const clearest = Math.max(...named.map(({ score }) => score))
    const isClearest = ({ score }: FrameCandidate): boolean => score === clearest
    const labels = new Set(named.filter(isClearest).map(({ layer }) => layer.layerColor))
    // Designers mark the layers to edit by one colour: it decides if several names fit.
    const [label] = labels.size === 1 ? labels : []
    const isMarked = (candidate: FrameCandidate): boolean =>
      !isClearest(candidate) && label !== undefined && label !== 'none' && candidate.layer.layerColor === label
    const clear = named.filter(isClearest).filter(each => !named.some(other => isClearest(other) && isIn(each, other)))
    const marked = named.filter(isMarked).filter(each => !clear.some(other => isIn(each, other) || isIn(other, each)))
    const chosen = [
      ...because('its name or its group says that the design goes here', clear),
      ...because(`it is marked ${label} as the others are`, marked),
    ]
    return candidates.flatMap(candidate => chosen.filter(each => isSame(each, candidate)))
  }
  const all = candidates.filter(({ cards }) => cards.length === 0)
  const designs = all.filter(({ layer }) => !namesProduct(nameOf(layer)))
  const outer = designs.length > 0 ? designs : all
  const largest = findLargest(outer)
  if (largest !== null && all.length > 1) return because('it is by far the largest smart object', [largest])
  if (outer.length <= MOST_WITHOUT_NAME) {
    return because('no name says where the design goes, and there are few smart objects', outer)
  }
  throw new PsdRefusedError(
    `This file has ${outer.length} smart objects, and no name says which are for designs. Choose those that become frames.`,
    namesOf(candidates),
  )
}

function because(chosenBecause: string, candidates: readonly FrameCandidate[]): readonly ChosenFrame[] {
  return candidates.map(candidate => ({ ...candidate, chosenBecause }))
}

function withoutOrnaments(named: readonly FrameCandidate[]): readonly FrameCandidate[] {
  const largest = Math.max(...named.map(areaOf))
  return named.filter(candidate => areaOf(candidate) * MOST_TIMES_SMALLER >= largest)
}

/** Null if others are nearly as large. */
function findLargest(candidates: readonly FrameCandidate[]): FrameCandidate | null {
  const [first, second] = candidates.toSorted((a, b) => areaOf(b) - areaOf(a))
  return first && areaOf(first) >= TIMES_LARGER * (second ? areaOf(second) : 0) ? first : null
}

/** The area between its corners, in square pixels of the canvas. */
function areaOf({ placed, cards }: FrameCandidate): number {
  const shares = cards.map(card => spanOf(card.placed.transform) / (card.document.widthPx * card.document.heightPx))
  return shares.reduce((area, share) => area * share, spanOf(placed.transform))
}

/** A damaged descriptor may lack fields that are required in ag-psd's types. */
function spanOf(transform: readonly number[] | undefined): number {
  let doubled = 0
  for (let i = 0; i < 8; i += 2) {
    const [x = 0, y = 0, nextX = 0, nextY = 0] = [0, 1, 2, 3].map(k => transform?.[(i + k) % 8])
    doubled += x * nextY - nextX * y
  }
  return Math.abs(doubled) / 2
}

/** With every visible instance of the chosen files, from the bottom to the top. */
function withInstances(candidates: readonly FrameCandidate[], chosen: readonly ChosenFrame[]): readonly ChosenFrame[] {
  return candidates.flatMap(candidate => {
    const own = chosen.find(each => isSame(each, candidate))
    if (own) return [own]
    const original = chosen.find(each => showsSameFile(each, candidate))
    return original ? because(`it shows the same file as "${original.name}"`, [candidate]) : []
  })
}

function showsSameFile({ placed, document }: FrameCandidate, other: FrameCandidate): boolean {
  return placed.id !== '' && placed.id === other.placed.id && document === other.document
}

/** A file that is placed twice is listed with its layers once. */
function isSame({ layer, cards }: FrameCandidate, other: FrameCandidate): boolean {
  const isWithinSame = cards.every((card, index) => card.layer === other.cards[index]?.layer)
  return layer === other.layer && cards.length === other.cards.length && isWithinSame
}

/** Whether a candidate lies in another one, or in an instance of it. Each file has ids of its own. */
function isIn(nested: FrameCandidate, { layer, placed, document }: FrameCandidate): boolean {
  return nested.cards.some((card, depth) => {
    const within = nested.cards[depth - 1]?.document ?? nested.outermost
    const isInstance = placed.id !== '' && card.placed.id === placed.id
    return within === document && (card.layer === layer || isInstance)
  })
}

/** @throws PsdRefusedError if one frame lies in another */
function checkNesting(chosen: readonly ChosenFrame[]): void {
  for (const nested of chosen) {
    const outer = chosen.find(each => isIn(nested, each))
    if (outer) {
      throw new PsdRefusedError(
        `"${nested.name}" lies in "${outer.name}", and only one of them can be a frame. Name one of them.`,
      )
    }
  }
}

/** Each name once. */
export function namesOf(candidates: readonly FrameCandidate[]): string[] {
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
