/** A template that is being edited: kept in the browser, and built into a bundle. */
import { type Quad, ratioOfQuad } from './quad.ts'

export type Point = readonly [x: number, y: number]
type Polygon = readonly Point[]

/** Fields of a bundle that the editor keeps without showing them (light, maps, tone). */
type KeptFields = Readonly<Record<string, unknown>>

/**
 * What hides parts of a frame: nothing, the bundle's mask, or polygons drawn here over a picture (white =
 * seen).
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
 * A picture with clear parts, drawn over scene and frames. `layer` is its entry in the bundle, if it came
 * from one.
 */
export type DraftOverlay = {
  readonly id: string
  readonly picture: Blob
  readonly layer: DraftLayer | null
  readonly blendingMode: string
  readonly opacity: number
}

export type Draft = {
  /** The id of the template that is changed, or null for a new one. */
  readonly templateId: string | null
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
  readonly overlays: readonly DraftOverlay[]
  /** The bundle's own thumbnail, as long as nothing changed that it shows. */
  readonly thumbnail: string | null
  readonly kept: KeptFields
  readonly keptFiles: ReadonlyMap<string, Blob>
  /** A polygon that is being drawn around something in front of a frame. */
  readonly drawing: { readonly frameId: string; readonly points: Polygon } | null
  /** Artwork to look at the frames with; null: the sample that ships. */
  readonly sample: Blob | null
  /** For every account (operators). */
  readonly shared: boolean
}

/** The artwork ratio of a frame, as set by hand or as the quad's perspective tells. */
export function ratioOf(frame: DraftFrame, draft: Pick<Draft, 'widthPx' | 'heightPx'>): number {
  if (frame.aspectRatio !== null || frame.corners === null) return frame.aspectRatio ?? 1
  return ratioOfQuad(frame.corners, draft.widthPx, draft.heightPx)
}

/** A new frame in the middle of the photo, a third of its size. */
export function newFrame(widthPx: number, heightPx: number): DraftFrame {
  const [left, right, top, bottom] = [widthPx / 3, (widthPx * 2) / 3, heightPx / 3, (heightPx * 2) / 3]
  return {
    id: crypto.randomUUID(),
    corners: [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ],
    aspectRatio: null,
    opacity: 1,
    mask: { kind: 'none' },
    kept: {},
  }
}

export function newDraft(photo: File, widthPx: number, heightPx: number): Draft {
  return {
    templateId: null,
    photo,
    photoName: null,
    widthPx,
    heightPx,
    name: photo.name.replace(/\.\w+$/, ''),
    category: 'Wall Art',
    type: 'print',
    surfaceType: '',
    blendingMode: 'multiply',
    frames: [newFrame(widthPx, heightPx)],
    overlays: [],
    thumbnail: null,
    kept: {},
    keptFiles: new Map(),
    drawing: null,
    sample: null,
    shared: false,
  }
}

/** The frame's mask with one more thing in front. */
export function withPolygon(mask: DraftMask, polygon: Polygon): DraftMask {
  if (mask.kind === 'drawn') return { ...mask, polygons: [...mask.polygons, polygon] }
  return { kind: 'drawn', picture: mask.kind === 'kept' ? mask.picture : null, polygons: [polygon] }
}

export type History = {
  readonly past: readonly Draft[]
  readonly present: Draft
  readonly future: readonly Draft[]
  readonly lastEdit: string | null
}

/** A draft that nothing was done to yet. */
export const historyOf = (draft: Draft): History => ({ past: [], present: draft, future: [], lastEdit: null })

export type Edit =
  /** `gesture` groups what belongs together (one drag, one field): its edits are undone at once. */
  | { readonly kind: 'change'; readonly gesture: string; readonly change: (draft: Draft) => Draft }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }

const STEPS_KEPT = 200

export function edit(history: History, action: Edit): History {
  switch (action.kind) {
    case 'change': {
      const isSameGesture = history.lastEdit === action.gesture
      const past = isSameGesture ? history.past : [...history.past, history.present].slice(-STEPS_KEPT)
      const present = withoutStaleThumbnail(history.present, action.change(history.present))
      return { past, present, future: [], lastEdit: action.gesture }
    }
    case 'undo': {
      const previous = history.past.at(-1)
      if (previous === undefined) return history
      return {
        past: history.past.slice(0, -1),
        present: previous,
        future: [history.present, ...history.future],
        lastEdit: null,
      }
    }
    case 'redo': {
      const [next, ...future] = history.future
      if (next === undefined) return history
      return { past: [...history.past, history.present], present: next, future, lastEdit: null }
    }
  }
}

/** A thumbnail that shows other frames than the template has is left out: the service makes a new one. */
function withoutStaleThumbnail(before: Draft, after: Draft): Draft {
  const isSame =
    before.frames === after.frames && before.overlays === after.overlays && before.blendingMode === after.blendingMode
  return isSame || after.thumbnail === null ? after : { ...after, thumbnail: null }
}
