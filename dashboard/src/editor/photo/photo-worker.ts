/** Draws a photo with artwork in it, and makes its bundle: by the service's engine, in the browser. */
import {
  BundleError,
  composeMockup,
  describeFault,
  type OpaquePixmap,
  type Point,
  parseTemplate,
  prepareTemplate,
  recolorTemplate,
} from '@vitrine/engine'
import { imageDataOf, LiveArtwork } from '@vitrine/engine/browser'
import { clearArtwork, composeLive } from '@vitrine/live'
import {
  contoursOf,
  decodePhoto,
  makeTemplate,
  type Outliner,
  outlinesOf,
  type PhotoPixels,
  type PreviewedTemplate,
  parseDrawing,
  previewTemplate,
  scaleStrokes,
} from '@vitrine/photo'
import { asError } from '../../as-error.ts'
import { blobFiles } from '../../preview/blob-files.ts'
import { browserCodec } from '../../preview/browser-codec.ts'
import { frameKernel } from '../../preview/kernels.ts'
import { gridArtwork } from './grid-artwork.ts'
import { createKnownOutlines } from './known-outlines.ts'
import type { SampleArtwork } from './photo-draft.ts'
import {
  type BrushedStrokes,
  type FrameLines,
  GRID_STEPS,
  type PhotoAnswer,
  type PhotoRequest,
} from './photo-messages.ts'
import { proposePoints } from './propose-points.ts'
import { unpackedLayers } from './unpacked-layers.ts'

/** Of the longer side: as fast as a handle is moved, and as a screen shows it. */
const MOVING_SIDE_PX = 640
const RESTING_SIDE_PX = 1200

/** The photo at one size. */
type Sized = { readonly photo: PhotoPixels; readonly outliner: Outliner }
type Opened = { readonly whole: Sized; readonly moving: Sized; readonly resting: Sized }

const sized = (photo: PhotoPixels): Sized => ({ photo, outliner: createKnownOutlines(photo) })

class PhotoDrawer {
  #opened: Opened | null = null
  /** the last drawing of one size, from which bodies are followed */
  #last: PreviewedTemplate | null = null
  #artwork: { readonly of: SampleArtwork; readonly decoded: LiveArtwork } | null = null

  async answer(request: PhotoRequest): Promise<PhotoAnswer> {
    switch (request.kind) {
      case 'open':
        return this.#open(request.photo)
      case 'draw':
        return this.#draw(request)
      case 'outline':
        return this.#outline(request)
      case 'propose':
        return this.#propose(request)
      case 'recover':
        return { kind: 'recovered', photo: await recoverPhoto(request.files) }
      default:
        return this.#build(request)
    }
  }

  async #open(blob: Blob): Promise<PhotoAnswer> {
    const photo = await decodePhoto(new Uint8Array(await blob.arrayBuffer()), browserCodec)
    const resting = await reduced(photo, RESTING_SIDE_PX)
    const moving = await reduced(resting, MOVING_SIDE_PX)
    this.#opened = { whole: sized(photo), resting: sized(resting), moving: sized(moving) }
    this.#last = null
    return { kind: 'opened' }
  }

  async #draw({ drawing, artwork, colors, isMoving }: PhotoRequest & { kind: 'draw' }): Promise<PhotoAnswer> {
    const { photo, outliner } = this.#photos()[isMoving ? 'moving' : 'resting']
    const made = await previewTemplate(photo, drawing, outlinesOf(photo, parseDrawing(drawing), outliner), {
      isMoving,
      last: this.#last,
    })
    if (isMoving) this.#last = made
    const kernel = await frameKernel
    const { files, codec } = unpackedLayers(made.pictures, browserCodec)
    const template = parseTemplate(made.template)
    const base = await prepareTemplate(template, files, photo.widthPx, codec, kernel)
    const prepared = await recolorTemplate(base, template, files, new Map(Object.entries(colors)), codec, kernel)
    const artworks = await Promise.all(prepared.frames.map(({ aspectRatio }) => this.#artworkFor(artwork, aspectRatio)))
    const picture = composeLive(prepared, artworks, [], kernel, null)
    const scale = drawing.width / photo.widthPx
    return {
      kind: 'drawn',
      picture: imageDataOf(picture),
      frames: made.surfaces.map(surface => linesOf(surface, scale)),
      productColor: template.colors[0]?.default ?? null,
    }
  }

  #outline(request: PhotoRequest & { kind: 'outline' }): PhotoAnswer {
    const { coverage, onPhoto } = this.#brushed(request)
    return { kind: 'outlined', lines: contoursOf(coverage).map(line => line.map(onPhoto)) }
  }

  #propose(request: PhotoRequest & { kind: 'propose' }): PhotoAnswer {
    const { coverage, onPhoto } = this.#brushed(request)
    const points = proposePoints(coverage, request)
    return { kind: 'proposed', points: points && points.map(onPhoto) }
  }

  /** What strokes give, and its points in pixels of the drawing. */
  #brushed({ strokes, widthPx, heightPx }: BrushedStrokes) {
    const { photo, outliner } = this.#photos().moving
    const [sx, sy] = [widthPx / photo.widthPx, heightPx / photo.heightPx]
    return {
      coverage: outliner.outline(scaleStrokes(strokes, 1 / sx, 1 / sy)),
      onPhoto: ([x, y]: Point): Point => [x * sx, y * sy],
    }
  }

  async #build({ details, drawing, kept }: PhotoRequest & { kind: 'build' }): Promise<PhotoAnswer> {
    const written = new Map<string, Uint8Array<ArrayBuffer>>()
    const store = {
      async write(name: string, bytes: Uint8Array) {
        written.set(name, new Uint8Array(bytes))
      },
      async read(name: string) {
        const bytes = written.get(name)
        if (bytes === undefined) throw new Error(`The bundle has no file ${name}.`)
        return bytes
      },
    }
    const { photo, outliner } = this.#photos().whole
    const outlines = outlinesOf(photo, parseDrawing(drawing), outliner)
    const { report } = await makeTemplate(details, photo, drawing, outlines, { store, codec: browserCodec })
    const files = new Map([...written].map(([name, bytes]) => [name, new Blob([bytes], { type: typeOf(name) })]))
    if (Object.keys(kept).length > 0) {
      const description: unknown = JSON.parse(new TextDecoder().decode(await store.read('template.json')))
      const text = `${JSON.stringify({ ...kept, ...Object(description) }, null, 2)}\n`
      files.set('template.json', new Blob([text], { type: 'application/json' }))
    }
    return { kind: 'built', files, report }
  }

  #photos(): Opened {
    if (this.#opened === null) throw new Error('Expected an opened photo.')
    return this.#opened
  }

  /** Of a grid there is one for each ratio, so that its cells are square. */
  async #artworkFor(of: SampleArtwork, aspectRatio: number): Promise<LiveArtwork> {
    if (of === 'grid') return LiveArtwork.decode(await gridArtwork(aspectRatio), browserCodec)
    if (this.#artwork?.of !== of) {
      const blob = of === 'sample' ? await (await fetch('/sample-artwork.jpg')).blob() : of
      const decoded = await LiveArtwork.decode(new Uint8Array(await blob.arrayBuffer()), browserCodec)
      this.#artwork = { of, decoded }
    }
    return this.#artwork.decoded
  }
}

/** What a bundle shows of clear artwork, at its own size. */
async function recoverPhoto(files: ReadonlyMap<string, Blob>): Promise<Blob> {
  const kernel = await frameKernel
  const bundle = blobFiles(files)
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await bundle.read('template.json'))))
  const { widthPx } = await browserCodec.decodeLayer(await bundle.read(template.scene), 'rgb')
  const prepared = await prepareTemplate(template, bundle, widthPx, browserCodec, kernel)
  const picture = composeMockup(
    prepared,
    prepared.frames.map(() => clearArtwork),
    kernel,
  )
  return new Blob([new Uint8Array(await browserCodec.encode(picture, { format: 'png' }))], { type: 'image/png' })
}

const typeOf = (name: string): string => (name.endsWith('.json') ? 'application/json' : 'image/png')

async function reduced(photo: PhotoPixels, sidePx: number): Promise<PhotoPixels> {
  const scale = sidePx / Math.max(photo.widthPx, photo.heightPx)
  if (scale >= 1) return photo
  const whole: OpaquePixmap = { alpha: 'opaque', ...photo }
  return browserCodec.resize(whole, Math.round(photo.widthPx * scale), Math.round(photo.heightPx * scale))
}

function linesOf({ aspectRatio, fitted, toPhoto }: PreviewedTemplate['surfaces'][number], scale: number): FrameLines {
  const onPhoto = ([x, y]: readonly [number, number]) => [x * scale, y * scale] as const
  const steps = Array.from({ length: GRID_STEPS + 1 }, (_, i) => i / GRID_STEPS)
  return {
    aspectRatio,
    body: (fitted?.lines ?? []).map(line => line.map(onPhoto)),
    grid: steps.map(v => steps.map(u => onPhoto(toPhoto(u, v)))),
  }
}

function refusalOf(error: unknown): PhotoAnswer {
  const message = error instanceof BundleError ? error.faults.map(describeFault).join(' ') : asError(error).message
  return { kind: 'refused', message }
}

const drawer = new PhotoDrawer()
/** One answer for each request, in their order. */
let turn = Promise.resolve()
addEventListener('message', ({ data }: MessageEvent<PhotoRequest>) => {
  turn = turn.then(async () => {
    const answer = await drawer.answer(data).catch(refusalOf)
    postMessage(answer, { transfer: answer.kind === 'drawn' ? [answer.picture.data.buffer] : [] })
  })
})
