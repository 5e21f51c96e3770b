import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMockup, type DecodedArtwork, parseTemplate, prepareTemplate, type Rect } from '@vitrine/engine'
import { createFrameKernel, createSharpCodec } from '@vitrine/engine/node'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { type Drawing, drawingOf } from '../src/compositing/compose-layers.ts'
import type { FloatPicture } from '../src/compositing/float-picture.ts'
import { chooseFrames, findCandidates } from '../src/converting/choose-frames.ts'
import { convertDocument } from '../src/converting/convert.ts'
import { drawWhole } from '../src/converting/whole-picture.ts'
import { importPsd } from '../src/import-psd.ts'
import { ImportNotes } from '../src/notes.ts'
import { openDocument } from '../src/reading/open-document.ts'
import { Random } from './random.ts'
import { randomTree, smoothKinds, TREE_HEIGHT, TREE_WIDTH, treeDesign } from './random-tree.ts'

const TREES = process.env['VITRINE_TEST_SIZE'] === 'full' ? 300 : 5
const white = [255, 255, 255] as const
const frames = ['Your design'] as const
const canvas: Rect = { left: 0, top: 0, widthPx: TREE_WIDTH, heightPx: TREE_HEIGHT }
const codec = createSharpCodec()
const kernel = createFrameKernel()

/** Artwork whose pixels lie on the scene's, half of it partly clear. */
function randomArtwork(random: Random): DecodedArtwork {
  const { widthPx, heightPx } = treeDesign
  const data = Uint8Array.from({ length: widthPx * heightPx * 4 }, (_, i) =>
    i % 4 === 3 && random.next() < 0.5 ? 255 : random.below(256),
  )
  const extent = { left: 0, top: 0, width: widthPx, height: heightPx }
  const source = { sourceWidthPx: widthPx, sourceHeightPx: heightPx }
  return { alpha: 'straight', widthPx, heightPx, data, extent, decodedBy: 'general', isOpaque: false, ...source }
}

/** The bundle that an import writes, read and drawn as mockups are. */
async function drawBundle(file: Uint8Array, artwork: DecodedArtwork): Promise<Uint8Array> {
  const store = new MemoryStore()
  await importPsd(file, { name: 'tree', frames, matte: white }, { codec, kernel, store })
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await store.read('template.json'))))
  const prepared = await prepareTemplate(template, store, TREE_WIDTH, codec)
  return composeMockup(prepared, [artwork], kernel).data
}

/** All layers in floats, the artwork in place of the design; and where the design shows. */
function drawLayers(file: Uint8Array, { data }: DecodedArtwork): { wanted: Float32Array; shape: Float32Array } {
  const document = openDocument(file)
  const drawing = drawingOf(document, new ImportNotes())
  const chosen = chooseFrames(document, findCandidates(document), frames)
  const [frame] = convertDocument(document, chosen, [], drawing, [1, 1, 1]).frames
  assert.ok(frame)
  const channel = (k: number, c: number): number => (data[4 * k + c] ?? 0) / 255
  const place = (): FloatPicture => ({
    rect: treeDesign,
    color: Float32Array.from({ length: (data.length / 4) * 3 }, (_, i) => channel(Math.floor(i / 3), i % 3)),
    alpha: Float32Array.from({ length: data.length / 4 }, (_, k) => channel(k, 3)),
  })
  const replace: Drawing['replace'] = layer => (layer === frame.layer ? place() : null)
  const { color } = drawWhole(document, canvas, { ...drawing, replace }, [1, 1, 1])
  return { wanted: color, shape: frame.geometry.shape(canvas) }
}

test(`${TREES} random layer trees, imported and drawn in bytes, are within 0.5 on average and 3 at most of all their layers in floats`, async () => {
  const random = new Random(11)
  let [sum, count] = [0, 0]
  for (let tree = 0; tree < TREES; tree++) {
    const file = randomTree(random, smoothKinds)
    const artwork = randomArtwork(random)
    const drawn = await drawBundle(file, artwork)
    const { wanted, shape } = drawLayers(file, artwork)
    for (const [i, value] of wanted.entries()) {
      if ((shape[Math.floor(i / 3)] ?? 0) === 0) continue
      const difference = Math.abs((drawn[i] ?? 0) - value * 255)
      assert.ok(difference <= 3, `tree ${tree}, value ${i}: ${drawn[i]} for ${value * 255}`)
      sum += difference
      count++
    }
  }
  assert.ok(count > TREES * 200, `${count} values`)
  assert.ok(sum / count <= 0.5, `${sum / count}`)
})
