import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { z } from 'zod'
import { ArtworkError } from '../../engine/src/artwork/artwork-error.ts'
import type { DecodeTarget } from '../../engine/src/codec.ts'
import { createSharpCodec } from '../../engine/src/node/index.ts'
import { buildArtworkFiles } from './artwork-files.ts'
import { launchChromium } from './servers/chromium.ts'
import { startEngineSources } from './servers/engine-sources.ts'

const decodedSchema = z.union([
  z.object({ width: z.number(), height: z.number(), data: z.string() }),
  z.object({ error: z.string() }),
])
type Outcome = z.infer<typeof decodedSchema>

const codec = createSharpCodec()
const sources = await startEngineSources()
let browser: Browser
let page: Page

before(async () => {
  browser = await launchChromium()
  page = await browser.newPage({ locale: 'en-US' })
  await page.goto(sources.origin)
  await page.evaluate(`(async () => {
    const [engine, { createBrowserCodec }] = await Promise.all([
      import('/src/index.ts'), import('/src/browser/index.ts')])
    const bytesOf = async name => new Uint8Array(await (await fetch('/kernels/' + name)).arrayBuffer())
    const module = async name => WebAssembly.compile(await bytesOf(name + '.wasm'))
    const [jpeg, png, webp] = [
      new engine.JpegDecoder(await module('jpeg-decoder')),
      new engine.PngDecoder(await module('png-decoder'), engine.crc32),
      new engine.WebpDecoder(await module('webp-decoder')),
    ]
    const codec = createBrowserCodec({
      jpeg: async () => jpeg, png: async () => png, webp: async () => webp,
      pressTable: () => bytesOf('press-table.bin'),
    })
    globalThis.decode = async (base64, target) => {
      try {
        const { widthPx, heightPx, data } = await codec.decodeArtwork(Uint8Array.fromBase64(base64), target)
        return { width: widthPx, height: heightPx, data: data.toBase64() }
      } catch (error) {
        return { error: error.message }
      }
    }
  })()`)
})

after(async () => {
  await browser.close()
  sources.close()
})

async function inService(bytes: Buffer, target: DecodeTarget | null): Promise<Outcome> {
  try {
    const { widthPx, heightPx, data } = await codec.decodeArtwork(bytes, target)
    return { width: widthPx, height: heightPx, data: Buffer.from(data).toString('base64') }
  } catch (error) {
    assert.ok(error instanceof ArtworkError, String(error))
    return { error: error.message }
  }
}

/**
 * If neither decoder of ours supports it, libvips reduces it there and our Lanczos filter here, which rounds
 * only once: single pixels of the finest patterns differ.
 */
const MOST_OF_REDUCED = 12

/** The greatest difference of a channel, with colours weighted by their opacity. */
function differenceOf(a: Outcome, b: Outcome): number | string {
  if ('error' in a || 'error' in b)
    return JSON.stringify(a).slice(0, 99) === JSON.stringify(b).slice(0, 99) ? 0 : 'outcome'
  if (a.width !== b.width || a.height !== b.height) return `${a.width} x ${a.height}, ${b.width} x ${b.height}`
  const [one, two] = [Buffer.from(a.data, 'base64'), Buffer.from(b.data, 'base64')]
  let worst = 0
  for (let i = 0; i < one.length; i++) {
    const alpha = i % 4 === 3 ? 255 : Math.max(one[i | 3] ?? 0, two[i | 3] ?? 0)
    worst = Math.max(worst, (Math.abs((one[i] ?? 0) - (two[i] ?? 0)) * alpha) / 255)
  }
  return worst
}

test('artwork has the same outcome and within 2 of 255 the same pixels in a browser as in the service', async () => {
  const wrong: string[] = []
  for (const { name, bytes } of await buildArtworkFiles()) {
    for (const target of [null, { minWidthPx: 21, minHeightPx: 17 }]) {
      const shown = decodedSchema.parse(
        await page.evaluate(`decode('${bytes.toString('base64')}', ${JSON.stringify(target)})`),
      )
      const difference = differenceOf(shown, await inService(bytes, target))
      const most = target === null ? 2 : MOST_OF_REDUCED
      if (typeof difference === 'string' || difference > most)
        wrong.push(`${name}${target ? ', reduced' : ''}: ${difference}`)
    }
  }
  assert.deepEqual(wrong, [])
})
