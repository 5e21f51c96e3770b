/**
 * Writes docs/pictures/photo-KIND.webp, the pictures of docs/photograph.md: for each kind of product the
 * photo with the points that are set on it, beside the mockup that the template of it makes.
 *
 *   node photo/bench/guide-pictures.ts [kind]
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ChosenColors, ImageCodec, OpaquePixmap, Point } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import { sharp } from '../../engine/src/node/hardened-sharp.ts'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { type Drawing, parseDrawing } from '../src/drawing/drawing.ts'
import { outlinesOf } from '../src/outline/outliner.ts'
import { flatCorners, mugMarks } from './clicks.ts'
import { cloths, drawCloth, drawOn, makeOf } from './measure-scene.ts'
import { createRender, loadScene, type Scene, sceneChoices } from './scenes.ts'

const PHOTO_WIDTH_PX = 1200
const HALF_PX = 700
const SEED = 1

type Guide = {
  readonly sceneId: string
  readonly artwork: string
  readonly draw: (scene: Scene) => object
  readonly dye?: string
}

const drawOnCloth = (scene: Scene): object => {
  const { goods } = scene
  const choice = goods === undefined || goods === 'black shirt' ? undefined : cloths[goods].at(-1)
  if (!choice) throw new Error(`Expected cloth in the scene ${scene.id}.`)
  return drawCloth(scene, choice, 0)
}

const guides: Readonly<Record<string, Guide>> = {
  frame: {
    sceneId: 'oak-frame-portrait',
    artwork: 'evening-hills.jpg',
    draw: scene => drawOn(scene, { kind: 'flat', corners: flatCorners(scene, 0, SEED) }),
  },
  mug: {
    sceneId: 'white-mug-walnut-table',
    artwork: 'petal-pattern.jpg',
    draw: scene => drawOn(scene, { kind: 'body', marks: mugMarks(scene, 0, SEED) }),
  },
  shirt: { sceneId: 'white-tee-flat-lay', artwork: 'mountain-logo.png', draw: drawOnCloth, dye: '#a9bcd0' },
  bag: { sceneId: 'canvas-tote-peg-rail', artwork: 'mountain-logo.png', draw: drawOnCloth },
  cushion: { sceneId: 'square-cushion-sofa', artwork: 'cut-out-leaves.jpg', draw: drawOnCloth },
}

// The dots are our own SVG, which artwork never is.
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })
const codec = createSharpCodec()
const pictures = path.join(import.meta.dirname, '../../docs/pictures')
for (const [kind, guide] of Object.entries(guides)) {
  if (process.argv[2] !== undefined && process.argv[2] !== kind) continue
  await sharp(await drawGuide(guide, codec))
    .webp({ quality: 82 })
    .toFile(path.join(pictures, `photo-${kind}.webp`))
}

/** A PNG: the photo with the points, and the mockup, side by side. */
async function drawGuide({ sceneId, artwork, draw: drawGuideOn, dye }: Guide, codec: ImageCodec): Promise<Buffer> {
  const choice = sceneChoices.find(({ id }) => id === sceneId)
  if (!choice) throw new Error(`Expected the scene ${sceneId}.`)
  const scene = await loadScene(choice, PHOTO_WIDTH_PX, codec)
  const drawing = drawGuideOn(scene)
  const parsed = parseDrawing(drawing)
  const store = new MemoryStore()
  await makeOf(scene, drawing, outlinesOf(scene.photo, parsed), store)
  const { draw } = await createRender(store, PHOTO_WIDTH_PX, codec)
  const shown = await readFile(path.join(import.meta.dirname, '../../templates/artworks', artwork))
  const colors: ChosenColors = new Map(dye === undefined ? [] : [['product', dye]])
  const before = await sharp(await toPng(scene.photo))
    .composite([{ input: dots(pointsOf(parsed), scene.photo) }])
    .png()
    .toBuffer()
  const halves = await Promise.all(
    [before, await toPng(await draw(shown, colors))].map(half =>
      sharp(half).resize({ width: HALF_PX }).png().toBuffer(),
    ),
  )
  const { height } = await sharp(halves[0]).metadata()
  const canvas = { width: 2 * HALF_PX + 16, height, channels: 3, background: '#ffffff' } as const
  return sharp({ create: canvas })
    .composite(halves.map((input, i) => ({ input, left: i * (HALF_PX + 16), top: 0 })))
    .png()
    .toBuffer()
}

function toPng({ widthPx, heightPx, data }: Pick<OpaquePixmap, 'widthPx' | 'heightPx' | 'data'>): Promise<Buffer> {
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .png()
    .toBuffer()
}

/** Corners and pins, or the marks on a body, of the first frame. */
function pointsOf({ frames: [frame] }: Drawing): Point[] {
  return [...(frame?.corners ?? []), ...[...(frame?.pins ?? []), ...(frame?.marks ?? [])].map(({ at }) => at)]
}

function dots(
  points: readonly Point[],
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
) {
  const circles = points.map(
    ([x, y]) => `<circle cx="${x}" cy="${y}" r="11" fill="#1f5c4d" stroke="#fff" stroke-width="4"/>`,
  )
  const size = `width="${widthPx}" height="${heightPx}"`
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${circles.join('')}</svg>`)
}
