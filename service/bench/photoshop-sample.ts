/** A Photoshop mockup of our own pictures, as a designer would make it, for what is shown of the import. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { composeMockup, parseTemplate, prepareTemplate } from '@vitrine/engine'
import { createSharpCodec } from '@vitrine/engine/node'
import sharp from 'sharp'
import { z } from 'zod'
import { MemoryStore } from '../../engine/test/memory-store.ts'
import { CONTENT_ID, type paint, pixelLayer, smartLayer, writePsd } from '../../psd/test/make-psd.ts'

const templates = path.resolve(import.meta.dirname, '../../templates')
const WIDTH = 1200
const frameOf = z.object({ frames: z.array(z.object({ corners: z.array(z.tuple([z.number(), z.number()])) })) })

/**
 * A framed poster, multiplied into its photo: `photo` is the template oak-frame-portrait with white paper, of
 * any width. What stands for Photoshop's own picture is drawn by the engine.
 */
export async function samplePsd(photo: Buffer): Promise<Uint8Array> {
  const stored = await sharp(await readFile(path.join(templates, 'oak-frame-portrait/scene.webp'))).metadata()
  const scale = WIDTH / stored.width
  const [frame] = frameOf.parse(
    JSON.parse(await readFile(path.join(templates, 'oak-frame-portrait/template.json'), 'utf8')),
  ).frames
  const corners = (frame?.corners ?? []).map(([x, y]) => [x * scale, y * scale] as const)
  const [a, b, c, d] = corners
  if (!a || !b || !c || !d) throw new Error('Expected a frame by four corners.')
  const artwork = await sharp(await readFile(path.join(templates, 'artworks/petal-pattern.jpg')))
    .resize(800, 1200)
    .jpeg({ quality: 90 })
    .toBuffer()

  const store = new MemoryStore()
  await store.write('scene.png', await sharp(photo).resize(WIDTH).png().toBuffer())
  const details = {
    format: 1,
    id: 'sample',
    name: 'Sample',
    category: 'Wall Art',
    type: 'print',
    render_mode: 'corners',
  }
  const template = parseTemplate({
    ...details,
    blending_mode: 'multiply',
    scene: 'scene.png',
    frames: [{ aspect_ratio: 2 / 3, corners }],
  })
  const codec = createSharpCodec()
  const prepared = await prepareTemplate(template, store, WIDTH, codec)
  const shown = composeMockup(prepared, [await codec.decodeArtwork(artwork, null)])
  const pixels = (rgb: Uint8Array): ReturnType<typeof paint> => {
    const data = new Uint8ClampedArray((rgb.length / 3) * 4).fill(255)
    for (let i = 0, at = 0; i < rgb.length; i += 3, at += 4) data.set(rgb.subarray(i, i + 3), at)
    return { width: prepared.widthPx, height: prepared.heightPx, data }
  }
  const design = smartLayer(
    'Your design here',
    [...a, ...b, ...c, ...d],
    { width: 800, height: 1200 },
    { blendMode: 'multiply' },
  )
  return writePsd(WIDTH, prepared.heightPx, [pixelLayer('Photo', 0, 0, pixels(prepared.empty.data)), design], {
    merged: pixels(shown.data),
    linked: [{ id: CONTENT_ID, name: 'petal-pattern.jpg', type: 'JPEG', data: artwork }],
  })
}
