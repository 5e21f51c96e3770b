/** Draws scenes of the wall: prepared from their packs once, with artworks that are decoded once. */
import { type FrameKernel, findShownDensity, type OpaquePixmap, type PreparedTemplate } from '@vitrine/engine'
import { imageDataOf, LiveArtwork } from '@vitrine/engine/browser'
import { clearArtwork, composeLive, type FramePlane, framePlanes, hasClearParts, PreviewTemplate } from '@vitrine/live'
import { asError } from '../as-error.ts'
import { browserCodec } from '../preview/browser-codec.ts'
import { frameKernel } from '../preview/kernels.ts'
import { servedPack } from '../preview/prepare-from.ts'
import { shownShare } from './shown-share.ts'
import type { ArtworkLook, Numbered, WallAnswer, WallRequest } from './scene-messages.ts'

/** Of artwork, per side: a tile shows no more pixels of it at twice its size. */
const ARTWORK_SIDE_PX = 1000

/** Of the picture of an artwork in a list, of each side at least. */
const THUMBNAIL_SIDE_PX = 96

type Scene = {
  readonly template: Promise<PreviewTemplate>
  /** The last picture, to be drawn over where it is of the same prepared template, whose planes stay too. */
  last: {
    readonly of: PreparedTemplate
    readonly picture: OpaquePixmap
    readonly planes: readonly FramePlane[]
  } | null
}

const withoutArtwork = new LiveArtwork([clearArtwork])

class WallDrawer {
  readonly #artworks = new Map<number, LiveArtwork>()
  readonly #scenes = new Map<string, Scene>()
  /** Of the last picture's pixels: bitmaps copy them at once. */
  #pixels: ArrayBuffer | null = null

  async answer(request: WallRequest): Promise<WallAnswer | null> {
    switch (request.kind) {
      case 'decode': {
        const bytes = new Uint8Array(await request.file.arrayBuffer())
        const artwork = await LiveArtwork.decode(bytes, browserCodec, ARTWORK_SIDE_PX)
        this.#artworks.set(request.artwork, artwork)
        return { kind: 'decoded', sizes: request.isShared ? artwork.sizes : [], look: await lookOf(artwork) }
      }
      case 'keep':
        this.#artworks.set(request.artwork, new LiveArtwork(request.sizes))
        return null
      case 'forget':
        this.#artworks.delete(request.artwork)
        return null
      case 'prepare':
        return { kind: 'prepared', sizeBytes: (await this.#prepare(request).template).sizeBytes }
      case 'release':
        this.#scenes.delete(request.pack)
        return null
      case 'draw':
        return this.#draw(request, await frameKernel)
      case 'judge':
        return this.#judge(request, await frameKernel)
    }
  }

  async #draw(request: Extract<WallRequest, { kind: 'draw' }>, kernel: FrameKernel | null): Promise<WallAnswer> {
    const { artwork: id, placement, colors } = request
    const scene = this.#prepare(request)
    const template = await scene.template
    const prepared = await template.inColors(colors)
    const artwork = id === null ? withoutArtwork : this.#artworks.get(id)
    if (artwork === undefined) throw new Error('The artwork is not there any more.')
    const last = scene.last?.of === prepared ? scene.last : null
    const placements = prepared.frames.map(() => placement)
    const artworks = prepared.frames.map(() => artwork)
    const picture = composeLive(prepared, artworks, placements, kernel, last?.picture ?? null)
    const planes = last?.planes ?? framePlanes(prepared)
    scene.last = { of: prepared, picture, planes }
    const { sourceWidthPx: width, sourceHeightPx: height } = artwork
    const shown = {
      planes,
      artworks: prepared.frames.map((each, frame) => ({
        frame,
        width,
        height,
        density: findShownDensity(each, width, height, placement),
      })),
    }
    const pixels = imageDataOf(picture, this.#pixels)
    this.#pixels = pixels.data.buffer
    return { kind: 'drawn', bitmap: await createImageBitmap(pixels), shown }
  }

  async #judge(request: Extract<WallRequest, { kind: 'judge' }>, kernel: FrameKernel | null): Promise<WallAnswer> {
    const { artwork: id, placement, colors } = request
    const prepared = await (await this.#prepare(request).template).inColors(colors)
    const artwork = this.#artworks.get(id)
    if (artwork === undefined) throw new Error('The artwork is not there any more.')
    const placements = prepared.frames.map(() => placement)
    const draw = (each: LiveArtwork): Uint8Array =>
      composeLive(
        prepared,
        prepared.frames.map(() => each),
        placements,
        kernel,
        null,
      ).data
    const [bare, worn] = [draw(withoutArtwork), draw(artwork)]
    return { kind: 'judged', shownShare: shownShare(bare, worn, draw(inked(artwork, 0)), draw(inked(artwork, 255))) }
  }

  #prepare({ pack, widthPx }: Extract<WallRequest, { kind: 'prepare' | 'draw' | 'judge' }>): Scene {
    const known = this.#scenes.get(pack)
    if (known !== undefined) return known
    const template = Promise.all([servedPack(pack), frameKernel]).then(([files, kernel]) =>
      PreviewTemplate.open(files, widthPx, browserCodec, kernel),
    )
    const scene: Scene = { template, last: null }
    this.#scenes.set(pack, scene)
    template.catch(() => this.#scenes.delete(pack))
    return scene
  }
}

/** The shape of an artwork in one grey. */
const inked = ({ sizes }: LiveArtwork, value: number): LiveArtwork =>
  new LiveArtwork(
    sizes.map(size => {
      const data = size.data.slice()
      for (let i = 0; i < data.length; i += 4) data.fill(value, i, i + 3)
      return { ...size, data }
    }),
  )

async function lookOf(artwork: LiveArtwork): Promise<ArtworkLook> {
  const small = artwork.find({ minWidthPx: THUMBNAIL_SIDE_PX, minHeightPx: THUMBNAIL_SIDE_PX })
  const { data, widthPx, heightPx } = small
  const pixels = new ImageData(new Uint8ClampedArray(data), widthPx, heightPx)
  return {
    width: artwork.sourceWidthPx,
    height: artwork.sourceHeightPx,
    isClear: hasClearParts(small),
    thumbnail: await createImageBitmap(pixels),
  }
}

const drawer = new WallDrawer()
addEventListener('message', ({ data }: MessageEvent<Numbered<WallRequest>>) => {
  const { ask } = data
  const post = (answer: WallAnswer) =>
    postMessage({ ...answer, ask } satisfies Numbered<WallAnswer>, {
      transfer: answer.kind === 'drawn' ? [answer.bitmap] : answer.kind === 'decoded' ? [answer.look.thumbnail] : [],
    })
  drawer.answer(data).then(
    answer => {
      if (answer !== null) post(answer)
    },
    (error: unknown) => post({ kind: 'failed', message: asError(error).message }),
  )
})
