import type { DecodedArtwork, DecodedBy, ImageCodec } from './codec.ts'
import { type Artworks, decodeArtworks, findShownDensity, type NeedsWhole } from './decode-plan.ts'
import { drawInSteps, type FindFrame } from './drawing/draw-operations.ts'
import { type Drawer, PlainDrawer } from './drawing/drawer.ts'
import { placeArtwork } from './drawing/place-artwork.ts'
import type { PictureOutput } from './encoding/format-encoders.ts'
import { findPlacement, type Placements } from './geometry/artwork-placement.ts'
import type { OpaquePixmap } from './pixmap.ts'
import { enlargePicture } from './sampling/enlarge-picture.ts'
import { type Pause, runSteps, runWithPauses, type Steps } from './steps.ts'
import type { PreparedTemplate } from './template/prepare-template.ts'

/** The duration of one stage of a render, in milliseconds. */
export type Stage = { readonly name: 'decode' | 'compose' | 'encode'; readonly durationMs: number }

export type Mockup = {
  readonly bytes: Uint8Array
  readonly widthPx: number
  readonly heightPx: number
  readonly stages: readonly Stage[]
  /** for each decoded picture; frames that share one count once */
  readonly decodedBy: readonly DecodedBy[]
  /** for each frame, in order */
  readonly artworks: readonly ShownArtwork[]
}

/** The size of an artwork as shown, and pixels of it per pixel of the mockup. */
export type ShownArtwork = { readonly widthPx: number; readonly heightPx: number; readonly density: number }

export type RenderJob = {
  readonly prepared: PreparedTemplate
  readonly artworks: Artworks
  readonly placements?: Placements
  readonly output: PictureOutput
  readonly needsWhole?: NeedsWhole
  /** called often while frames are drawn */
  readonly pause?: Pause
}

/** Renders mockups. Retains the kernel's memory and the last picture for the next mockup; one per thread. */
export class Renderer {
  readonly #drawer: Drawer
  readonly #now: () => number
  /** The last mockup, to be drawn over: allocating costs more than the copy. Null while it is in use. */
  #spare: { readonly prepared: PreparedTemplate; readonly picture: OpaquePixmap } | null = null

  /** `kernel`: draws the same bytes several times faster. `now`: milliseconds of a monotonic clock. */
  constructor(kernel: Drawer | null, now: () => number) {
    this.#drawer = kernel ?? new PlainDrawer()
    this.#now = now
  }

  /**
   * Decodes each artwork to its frame's density, draws frames and overlays, encodes. Deterministic. Rejects
   * with the codec's error for unreadable artwork, RangeError if one is missing.
   */
  async render(
    { prepared, artworks, placements = {}, output, needsWhole, pause }: RenderJob,
    codec: ImageCodec,
  ): Promise<Mockup> {
    const started = this.#now()
    const pictures = await decodeArtworks(prepared.frames, artworks, codec, needsWhole, placements)
    const decoded = this.#now()
    const steps = composeInSteps(prepared, pictures, this.#drawer, this.#takeSpare(prepared), placements)
    const picture = pause ? await runWithPauses(steps, pause) : runSteps(steps)
    const composed = this.#now()
    const { enlargedTo } = prepared
    const finished = enlargedTo ? enlargePicture(picture, enlargedTo.widthPx, enlargedTo.heightPx) : picture
    const backdrop = enlargedTo ? null : { scene: prepared.empty, drawn: prepared.touchedBands }
    const bytes = await codec.encode(finished, output, backdrop)
    const encoded = this.#now()
    this.#spare = { prepared, picture }
    return {
      bytes,
      widthPx: finished.widthPx,
      heightPx: finished.heightPx,
      decodedBy: [...new Set(pictures)].map(artwork => artwork.decodedBy),
      artworks: describeArtworks(prepared, pictures, placements),
      stages: [
        { name: 'decode', durationMs: decoded - started },
        { name: 'compose', durationMs: composed - decoded },
        { name: 'encode', durationMs: encoded - composed },
      ],
    }
  }

  /** The last mockup if `composeMockup` may reuse it: it has the same size. */
  #takeSpare(prepared: PreparedTemplate): OpaquePixmap | null {
    const spare = this.#spare
    this.#spare = null
    if (!spare || spare.prepared === prepared) return spare?.picture ?? null
    const { widthPx, heightPx, data } = spare.picture
    if (widthPx !== prepared.widthPx || heightPx !== prepared.heightPx) return null
    data.set(prepared.empty.data)
    return spare.picture
  }
}

function describeArtworks(
  { frames, widthPx: drawnPx, enlargedTo }: PreparedTemplate,
  pictures: readonly DecodedArtwork[],
  placements: Placements,
): readonly ShownArtwork[] {
  return pictures.flatMap(({ sourceWidthPx: widthPx, sourceHeightPx: heightPx }, index) => {
    const frame = frames[index]
    const placement = findPlacement(placements, index)
    const shrunk = enlargedTo ? drawnPx / enlargedTo.widthPx : 1
    const density = frame ? findShownDensity(frame, widthPx, heightPx, placement) * shrunk : 0
    return frame ? [{ widthPx, heightPx, density }] : []
  })
}

/**
 * The finished picture from decoded artwork, one per frame in order; the same bytes with and without a
 * kernel. `reused`: a picture from this function for the same prepared template, to be overwritten.
 */
export function composeMockup(
  prepared: PreparedTemplate,
  artworks: readonly DecodedArtwork[],
  kernel: Drawer | null = null,
  reused: OpaquePixmap | null = null,
  placements: Placements = {},
): OpaquePixmap {
  return runSteps(composeInSteps(prepared, artworks, kernel ?? new PlainDrawer(), reused, placements))
}

/** Like `composeMockup`. If its steps are abandoned, the picture is unusable. */
function* composeInSteps(
  prepared: PreparedTemplate,
  artworks: readonly DecodedArtwork[],
  drawer: Drawer,
  reused: OpaquePixmap | null,
  placements: Placements,
): Steps<OpaquePixmap> {
  // Not slice(): for a Buffer it returns a view, and the artwork would be drawn into the template's scene.
  const picture: OpaquePixmap = reused ?? { ...prepared.empty, data: new Uint8Array(prepared.empty.data) }
  const findFrame: FindFrame = index => {
    const [frame, artwork] = [prepared.frames[index], artworks[index]]
    if (!frame || !artwork) throw new RangeError(`Expected artwork for frame ${index} but received none.`)
    const { widthPx, heightPx, data } = artwork
    // Released memory may already contain another customer's artwork.
    if (data.length !== widthPx * heightPx * 4) throw new Error('Expected decoded artwork that is still held.')
    return placeArtwork(frame, artwork, findPlacement(placements, index), drawer.reduce)
  }
  yield* drawInSteps(picture, prepared.drawing, findFrame, drawer)
  return picture
}
