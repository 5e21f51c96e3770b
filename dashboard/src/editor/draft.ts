/** A template that is being made: what the editor edits, saves in the browser, and turns into a bundle. */
import { type Quad, ratioOfQuad } from './quad.ts'

export type Point = readonly [x: number, y: number]

/** What hides parts of a frame: nothing, a picture (white = seen), or polygons around the things that stand in front. */
export type DraftMask =
  | { readonly kind: 'none' }
  | { readonly kind: 'picture'; readonly picture: Blob }
  | { readonly kind: 'polygons'; readonly polygons: readonly (readonly Point[])[] }

export type DraftFrame = {
  readonly id: string
  /** Scene pixels: top left, top right, bottom right, bottom left of the artwork. */
  readonly corners: Quad
  /** Width / height of the artwork; null: from the quad. */
  readonly aspectRatio: number | null
  readonly opacity: number
  readonly mask: DraftMask
}

export type Draft = {
  /** The id of the template that is edited, or null for a new one. */
  readonly templateId: string | null
  readonly photo: Blob
  readonly widthPx: number
  readonly heightPx: number
  readonly name: string
  readonly category: string
  readonly type: 'print' | 'product'
  readonly surfaceType: string
  readonly blendingMode: string
  readonly frames: readonly DraftFrame[]
}

/** The artwork ratio of a frame, as set by hand or as the quad's perspective tells. */
export function ratioOf(frame: DraftFrame, draft: Pick<Draft, 'widthPx' | 'heightPx'>): number {
  return frame.aspectRatio ?? ratioOfQuad(frame.corners, draft.widthPx, draft.heightPx)
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
  }
}

export type History = {
  readonly past: readonly Draft[]
  readonly present: Draft
  readonly future: readonly Draft[]
  readonly lastEdit: string | null
}

export type Edit =
  /** `gesture` groups what belongs together (one drag, one field): its edits are undone at once. */
  | { readonly kind: 'change'; readonly gesture: string; readonly draft: Draft }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  | { readonly kind: 'open'; readonly draft: Draft }

const stepsKept = 200

export function edit(history: History, action: Edit): History {
  switch (action.kind) {
    case 'open':
      return { past: [], present: action.draft, future: [], lastEdit: null }
    case 'change': {
      const isSameGesture = history.lastEdit === action.gesture
      const past = isSameGesture ? history.past : [...history.past, history.present].slice(-stepsKept)
      return { past, present: action.draft, future: [], lastEdit: action.gesture }
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
