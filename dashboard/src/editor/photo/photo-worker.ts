/** Draws a photo with artwork in it, and makes its bundle: by the service's engine, in the browser. */
import {
  type ChosenColors,
  composeMockup,
  type OpaquePixmap,
  type Point,
  parseTemplate,
  prepareTemplate,
  recolorTemplate,
} from '@vitrine/engine'
import { imageDataOf, LiveArtwork } from '@vitrine/engine/browser'
import { clearArtwork, composeLive, serveCalls, withoutArtwork } from '@vitrine/live'
import {
  contoursOf,
  decodePhoto,
  type LivePicture,
  LivePreview,
  makeTemplate,
  type Outliner,
  type Outlines,
  outlinesOf,
  type PhotoPixels,
  parseDrawing,
  previewTemplate,
} from '@vitrine/photo'
import { blobFiles } from '../../preview/blob-files.ts'
import { browserCodec } from '../../preview/browser-codec.ts'
import { frameKernel } from '../../preview/kernels.ts'
import { gridArtwork } from './grid-artwork.ts'
import { brushedOutline, createKnownOutlines } from './known-outlines.ts'
import type { SampleArtwork } from './photo-draft.ts'
import {
  type BrushedStrokes,
  type BuiltTemplate,
  type DrawingJson,
  type DrawnPhoto,
  type FrameLines,
  GRID_STEPS,
  type PhotoCalls,
} from './photo-messages.ts'
import { proposePoints } from './propose-points.ts'
import { unpackedLayers } from './unpacked-layers.ts'

/** Of the longer side: as fast as a handle is moved, and as a screen shows it. */
const MOVING_SIDE_PX = 1000
const RESTING_SIDE_PX = 1200

/** Nothing is asked for so long before what the next movement needs is found. */
const IDLE_MS = 300

/** The photo at one size. */
type Sized = { readonly photo: PhotoPixels; readonly outliner: Outliner }
type Opened = {
  readonly whole: Sized
  readonly resting: Sized
  readonly moving: Sized
  readonly live: LivePreview
}

const sized = (photo: PhotoPixels): Sized => ({ photo, outliner: createKnownOutlines(photo) })

type RequestOf<Name extends keyof PhotoCalls> = Parameters<PhotoCalls[Name]>[0]

class PhotoDrawer {
  #opened: Opened | null = null
  #artwork: { readonly of: SampleArtwork; readonly decoded: LiveArtwork } | null = null

  async open(blob: Blob): Promise<void> {
    const photo = await decodePhoto(new Uint8Array(await blob.arrayBuffer()), browserCodec)
    const resting = await reduced(photo, RESTING_SIDE_PX)
    const moving = await reduced(resting, MOVING_SIDE_PX)
    const live = new LivePreview(moving)
    this.#opened = { whole: sized(photo), resting: sized(resting), moving: sized(moving), live }
  }

  async draw({ drawing, artwork, colors, isMoving }: RequestOf<'draw'>): Promise<DrawnPhoto> {
    const { resting, moving, live } = this.#photos()
    const { photo, outliner } = isMoving ? moving : resting
    const parsed = parseDrawing(drawing)
    const outlines = outlinesOf(photo, parsed, outliner)
    const chosen = new Map(Object.entries(colors))
    const { prepared, surfaces, productColor } = isMoving
      ? live.draw(parsed, outlines, chosen)
      : await prepareResting(photo, drawing, outlines, chosen)
    const artworks = await Promise.all(prepared.frames.map(({ aspectRatio }) => this.#artworkFor(artwork, aspectRatio)))
    // What is drawn once is drawn over its own scene.
    const under = isMoving ? prepared.empty : null
    const artworkOf = (frame: number) => ({ artwork: artworks[frame] ?? withoutArtwork })
    const picture = composeLive(prepared, artworkOf, await frameKernel, under)
    const scale = drawing.width / photo.widthPx
    return {
      picture: imageDataOf(picture),
      frames: surfaces.map(surface => linesOf(surface, scale)),
      productColor,
    }
  }

  async outline(strokes: BrushedStrokes): Promise<readonly (readonly Point[])[]> {
    const { coverage, onPhoto } = this.#brushed(strokes)
    return contoursOf(coverage).map(line => line.map(onPhoto))
  }

  async propose(request: RequestOf<'propose'>): Promise<readonly Point[] | null> {
    const { coverage, onPhoto } = this.#brushed(request)
    const points = proposePoints(coverage, this.#photos().moving.photo, request)
    return points && points.map(onPhoto)
  }

  /** What strokes give, and its points in pixels of the drawing. */
  #brushed(brushed: BrushedStrokes) {
    const { widthPx, heightPx } = brushed
    const { photo, outliner } = this.#photos().moving
    const [sx, sy] = [widthPx / photo.widthPx, heightPx / photo.heightPx]
    return { coverage: brushedOutline(photo, brushed, outliner), onPhoto: ([x, y]: Point): Point => [x * sx, y * sy] }
  }

  async build({ details, drawing, kept }: RequestOf<'build'>): Promise<BuiltTemplate> {
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
    return { files, report }
  }

  /** Finds a part of what the next movement needs. False: there is no more. */
  rest(): boolean {
    return this.#opened?.live.rest() ?? false
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

/** The template of a bundle, without its files. */
async function prepareResting(
  photo: PhotoPixels,
  drawing: DrawingJson,
  outlines: Outlines,
  colors: ChosenColors,
): Promise<LivePicture> {
  const made = await previewTemplate(photo, drawing, outlines)
  const kernel = await frameKernel
  const { files, codec } = unpackedLayers(made.pictures, browserCodec)
  const template = parseTemplate(made.template)
  const base = await prepareTemplate(template, files, photo.widthPx, codec, kernel)
  const prepared = await recolorTemplate(base, template, files, colors, codec, kernel)
  return { prepared, surfaces: made.surfaces, productColor: template.colors[0]?.default ?? null }
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

/** The number of points along each edge of the artwork that is drawn. */
const EDGE_STEPS = 16

function linesOf(surface: LivePicture['surfaces'][number], scale: number): FrameLines {
  const { aspectRatio, fitted, toPhoto, seen } = surface
  const onPhoto = ([x, y]: readonly [number, number]) => [x * scale, y * scale] as const
  const steps = Array.from({ length: GRID_STEPS + 1 }, (_, i) => i / GRID_STEPS)
  return {
    aspectRatio,
    body: (fitted?.lines ?? []).map(line => line.map(onPhoto)),
    outline: outlineOf(seen).map(([u, v]) => onPhoto(toPhoto(u, v))),
    grid: steps.map(v => steps.map(u => onPhoto(toPhoto(u, v)))),
  }
}

/** Around a part of the artwork, in its coordinates; empty if it has no width. */
function outlineOf([from, to]: LivePicture['surfaces'][number]['seen']): [u: number, v: number][] {
  if (from >= to) return []
  const steps = Array.from({ length: EDGE_STEPS }, (_, i) => i / EDGE_STEPS)
  const at = (share: number): number => from + (to - from) * share
  return [
    ...steps.map((s): [number, number] => [at(s), 0]),
    ...steps.map((s): [number, number] => [to, s]),
    ...steps.map((s): [number, number] => [at(1 - s), 1]),
    ...steps.map((s): [number, number] => [from, 1 - s]),
  ]
}

const drawer = new PhotoDrawer()
/** One answer for each request, in their order. */
let turn: Promise<unknown> = Promise.resolve()
let idle: ReturnType<typeof setTimeout> | undefined
function inTurn<Request, Answer>(answer: (request: Request) => Promise<Answer>): (request: Request) => Promise<Answer> {
  return request => {
    clearTimeout(idle)
    const answered = turn.then(() => answer(request))
    const ended = answered.then(
      () => undefined,
      () => undefined,
    )
    turn = ended
    void ended.then(() => {
      if (turn === ended) idle = setTimeout(restInParts, IDLE_MS)
    })
    return answered
  }
}

/** Between parts, requests are taken. */
function restInParts(): void {
  if (drawer.rest()) idle = setTimeout(restInParts)
}

serveCalls({
  open: inTurn(photo => drawer.open(photo)),
  draw: inTurn(request => drawer.draw(request)),
  outline: inTurn(strokes => drawer.outline(strokes)),
  propose: inTurn(request => drawer.propose(request)),
  recover: inTurn(recoverPhoto),
  build: inTurn(request => drawer.build(request)),
} satisfies PhotoCalls)
