/** Draws scenes of the gallery. Each pack is prepared once, each artwork decoded once. */
import { imageDataOf, LiveArtwork } from '@vitrine/engine/browser'
import { composeLive, hasClearParts, LiveScene, serveCalls, shownFrames, withoutArtwork } from '@vitrine/live'
import { browserCodec } from '../preview/browser-codec.ts'
import { frameKernel } from '../preview/kernels.ts'
import { servedPack } from '../preview/prepare-from.ts'
import type { ArtworkLook, SceneCalls, SceneWant } from './scene-messages.ts'
import { shownShare } from './shown-share.ts'

/** The longest side of decoded artwork: enough for a tile at twice its size. */
const ARTWORK_SIDE_PX = 1000

/** The shorter side of a thumbnail is at least this long. */
const THUMBNAIL_SIDE_PX = 96

const artworks = new Map<number, LiveArtwork>()
const scenes = new Map<string, Promise<LiveScene>>()
/** The buffer of the last picture, reused: a bitmap copies its pixels at once. */
let reused: ArrayBuffer | null = null

function artworkOf(id: number): LiveArtwork {
  const artwork = artworks.get(id)
  if (artwork === undefined) throw new Error('The artwork is no longer available.')
  return artwork
}

function prepare({ pack, widthPx }: Pick<SceneWant, 'pack' | 'widthPx'>): Promise<LiveScene> {
  const known = scenes.get(pack)
  if (known !== undefined) return known
  const scene = Promise.all([servedPack(pack), frameKernel]).then(([files, kernel]) =>
    LiveScene.open(files, widthPx, browserCodec, kernel),
  )
  scenes.set(pack, scene)
  scene.catch(() => scenes.delete(pack))
  return scene
}

serveCalls({
  async decode({ artwork: id, file, isShared }) {
    const artwork = await LiveArtwork.decode(new Uint8Array(await file.arrayBuffer()), browserCodec, ARTWORK_SIDE_PX)
    artworks.set(id, artwork)
    return { sizes: isShared ? artwork.sizes : [], look: await lookOf(artwork) }
  },
  keep: ({ artwork, sizes }) => void artworks.set(artwork, new LiveArtwork(sizes)),
  forget: id => void artworks.delete(id),
  prepare: async request => (await prepare(request)).sizeBytes,
  release: pack => void scenes.delete(pack),
  async draw(request) {
    const { artwork: id, placement, colors } = request
    const scene = await prepare(request)
    const artwork = id === null ? withoutArtwork : artworkOf(id)
    const { prepared, picture, planes } = await scene.draw(colors, () => ({ artwork, placement }))
    const { sourceWidthPx, sourceHeightPx } = artwork
    const shown = shownFrames(prepared, planes, () => ({ sourceWidthPx, sourceHeightPx, placement }))
    const pixels = imageDataOf(picture, reused)
    reused = pixels.data.buffer
    return { bitmap: await createImageBitmap(pixels), shown }
  },
  async judge(request) {
    const { artwork: id, placement, colors } = request
    const prepared = await (await prepare(request)).inColors(colors)
    const kernel = await frameKernel
    const artwork = artworkOf(id)
    const draw = (each: LiveArtwork): Uint8Array =>
      composeLive(prepared, () => ({ artwork: each, placement }), kernel).data
    return shownShare(draw(withoutArtwork), draw(artwork), draw(inked(artwork, 0)), draw(inked(artwork, 255)))
  },
} satisfies SceneCalls)

/** The artwork's shape, filled with one grey. */
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
