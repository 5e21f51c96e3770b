/** A template that is being edited: saved in the browser, and built into a bundle. */
import { limits } from '@vitrine/contract'
import type { Swatch } from '../coloring/product-colors.ts'
import { changeHistory, type Edit, type History as StateHistory } from '../history.ts'
import { newTemplateNamed } from './id-of-name.ts'
import { type Quad, quadOfBox, quadOfPoints, ratioOfQuad } from './quad.ts'

export type Point = readonly [x: number, y: number]
export type Polygon = readonly Point[]

/** Fields of a bundle that the editor retains without showing them (light, maps, tone). */
type KeptFields = Readonly<Record<string, unknown>>

/**
 * What hides parts of a frame: nothing, the bundle's mask, or polygons drawn here over a picture (white =
 * visible). Of a colour area, the polygons are the visible part.
 */
export type DraftMask =
  | { readonly kind: 'none' }
  | { readonly kind: 'kept'; readonly layer: unknown; readonly picture: Blob }
  | { readonly kind: 'drawn'; readonly picture: Blob | null; readonly polygons: readonly Polygon[] }

export type DraftFrame = {
  readonly id: string
  /**
   * Scene pixels: top left, top right, bottom right, bottom left of the artwork. Null: the frame has a map.
   */
  readonly corners: Quad | null
  /** Width / height of the artwork; null: from the quad. */
  readonly aspectRatio: number | null
  readonly opacity: number
  readonly mask: DraftMask
  readonly kept: KeptFields
}

/** A layer as template.json has it: a file over the whole scene, or over a part of it in scene pixels. */
export type DraftLayer =
  | string
  | { readonly image: string; readonly region: readonly [x: number, y: number, width: number, height: number] }

/**
 * A picture with transparent parts, drawn over scene and frames. `layer` is its entry in the bundle, if it
 * is from one.
 */
export type DraftOverlay = {
  readonly id: string
  readonly picture: Blob
  readonly layer: DraftLayer | null
  readonly blendingMode: string
  readonly opacity: number
}

/** A part of the product whose colour customers choose. */
export type DraftArea = {
  readonly id: string
  readonly name: string
  /** #rrggbb: what the photo shows. */
  readonly default: string
  readonly mask: DraftMask
  readonly suggestions: readonly Swatch[]
  readonly kept: KeptFields
}

export type Draft = {
  /** The id of its template. It never changes: a save that is repeated replaces the first one. */
  readonly id: string
  /** Whether no template of this id is changed: it is made by saving. */
  readonly isNew: boolean
  readonly photo: Blob
  /** The photo's name in its bundle; null: by its type. */
  readonly photoName: string | null
  readonly widthPx: number
  readonly heightPx: number
  readonly name: string
  readonly category: string
  readonly type: 'print' | 'product'
  readonly surfaceType: string
  readonly blendingMode: string
  readonly frames: readonly DraftFrame[]
  readonly areas: readonly DraftArea[]
  readonly overlays: readonly DraftOverlay[]
  /** The bundle's own thumbnail, until something that it shows has changed. */
  readonly thumbnail: string | null
  readonly kept: KeptFields
  readonly keptFiles: ReadonlyMap<string, Blob>
  /**
   * A polygon that is being drawn: around something in front of a frame, or around a part in colour. With
   * null for `frameId` its points are the corners of a new frame.
   */
  readonly drawing: { readonly frameId: string | null; readonly points: Polygon } | null
  /** Artwork for previews; null: the sample that is included. */
  readonly sample: Blob | null
  /** For every account (operators). */
  readonly shared: boolean
}

/** The artwork ratio of a frame, set by hand or computed from the quad's perspective. */
export function ratioOf(frame: DraftFrame, draft: Pick<Draft, 'widthPx' | 'heightPx'>): number {
  if (frame.aspectRatio !== null || frame.corners === null) return frame.aspectRatio ?? 1
  return ratioOfQuad(frame.corners, draft.widthPx, draft.heightPx)
}

/** The part of a draft of either editor that sharing needs. */
export type Shareable = Pick<Draft, 'id' | 'isNew' | 'shared' | 'kept'>

/** Whether customers may download the whole bundle of a shared template; a retained field. */
export const sharesBundle = ({ kept }: Shareable): boolean => kept['share_bundle'] === true

export const withBundleShared = <Shared extends Shareable>(draft: Shared, isShared: boolean): Shared => ({
  ...draft,
  kept: { ...draft.kept, share_bundle: isShared },
})

export const FRAMES_MAX = limits.framesMax

/** Whether frames lie on curved surfaces, by maps: then the editor adds no others. */
export const isMapped = ({ frames }: Draft): boolean => frames.some(({ corners }) => corners === null)

/** A frame with default values, except its corners. */
export const frameOfCorners = (corners: Quad): DraftFrame => ({
  id: crypto.randomUUID(),
  corners,
  aspectRatio: null,
  opacity: 1,
  mask: { kind: 'none' },
  kept: {},
})

export const withoutFrame = (draft: Draft, frameId: string): Draft => ({
  ...draft,
  frames: draft.frames.filter(({ id }) => id !== frameId),
})

/** Of the photo's sides: how much further down and right a new frame lies than the previous one. */
const FRAME_OFFSET = 0.04
/** The number of frames after which the offsets start again, so that frames stay on the photo. */
const OFFSETS = 6

/** A new frame in the middle of the photo, a third of its size; `before`: how many frames there are. */
export function newFrame(widthPx: number, heightPx: number, before = 0): DraftFrame {
  const offset = (before % OFFSETS) * FRAME_OFFSET
  const at = (share: number): Point => [widthPx * (share + offset), heightPx * (share + offset)]
  return frameOfCorners(quadOfBox(at(1 / 3), at(2 / 3)))
}

/** Without the frame that a new draft begins with, if it is unchanged. */
export function touchedFrames({ isNew, frames, widthPx, heightPx }: Draft): readonly DraftFrame[] {
  if (!isNew) return frames
  const first = newFrame(widthPx, heightPx)
  return frames.filter(frame => JSON.stringify({ ...frame, id: first.id }) !== JSON.stringify(first))
}

/** With one more frame, which replaces the one that a new draft begins with if that is unchanged. */
export const withFrame = (draft: Draft, frame: DraftFrame): Draft => ({
  ...draft,
  frames: [...touchedFrames(draft), frame],
})

export function newDraft(photo: File, widthPx: number, heightPx: number): Draft {
  return {
    ...newTemplateNamed(photo.name.replace(/\.\w+$/, '')),
    photo,
    photoName: null,
    widthPx,
    heightPx,
    category: 'Wall Art',
    type: 'print',
    surfaceType: '',
    blendingMode: 'multiply',
    frames: [newFrame(widthPx, heightPx)],
    areas: [],
    overlays: [],
    thumbnail: null,
    kept: {},
    keptFiles: new Map(),
    drawing: null,
    sample: null,
    shared: false,
  }
}

/** A mask with one more polygon. */
function withPolygon(mask: DraftMask, polygon: Polygon): DraftMask {
  if (mask.kind === 'drawn') return { ...mask, polygons: [...mask.polygons, polygon] }
  return { kind: 'drawn', picture: mask.kind === 'kept' ? mask.picture : null, polygons: [polygon] }
}

/** The draft with the drawn polygon: in the mask of its frame or area, or as a frame of four corners. */
export function withDrawing(draft: Draft, { frameId, points }: NonNullable<Draft['drawing']>): Draft {
  const [a, b, c, d] = points
  if (frameId === null) {
    if (a === undefined || b === undefined || c === undefined || d === undefined) return { ...draft, drawing: null }
    return withFrame({ ...draft, drawing: null }, frameOfCorners(quadOfPoints([a, b, c, d])))
  }
  const drawn = <Part extends { readonly id: string; readonly mask: DraftMask }>(part: Part): Part =>
    part.id === frameId ? { ...part, mask: withPolygon(part.mask, points) } : part
  return { ...draft, drawing: null, frames: draft.frames.map(drawn), areas: draft.areas.map(drawn) }
}

type History = StateHistory<Draft>

export function edit(history: History, action: Edit<Draft>): History {
  if (action.kind !== 'change') return changeHistory(history, action)
  const change = (before: Draft) => withoutStaleThumbnail(before, action.change(before))
  return changeHistory(history, { ...action, change })
}

/** A thumbnail that shows outdated frames is left out: the service makes a new one. */
function withoutStaleThumbnail(before: Draft, after: Draft): Draft {
  const isSame =
    before.frames === after.frames && before.overlays === after.overlays && before.blendingMode === after.blendingMode
  return isSame || after.thumbnail === null ? after : { ...after, thumbnail: null }
}
