import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { drawScenes } from '../../engine/test/browser/draw-scenes.ts'
import { encodePictures } from '../../engine/test/browser/encode-pictures.ts'
import { launchChromium } from './servers/chromium.ts'
import { startEngineSources } from './servers/engine-sources.ts'

const engineDir = path.resolve(import.meta.dirname, '../../engine')

describe('the pure part of the engine', () => {
  let browser: Browser
  let tab: Page
  let sources: Awaited<ReturnType<typeof startEngineSources>>

  before(async () => {
    sources = await startEngineSources()
    browser = await launchChromium()
    tab = await browser.newPage({ locale: 'en-US' })
    await tab.goto(sources.origin)
  })

  after(async () => {
    await browser.close()
    sources.close()
  })

  it('draws the same pixels in Chromium as in Node', async () => {
    const drawn: unknown = await tab.evaluate(`
      import('/test/browser/draw-scenes.ts').then(async ({ drawScenes }) => {
        const module = await WebAssembly.compileStreaming(fetch('/kernels/frame-drawer.wasm'))
        return Object.entries(await drawScenes(module)).map(([name, pixels]) => [name, pixels.toBase64()])
      })
    `)
    assert.ok(Array.isArray(drawn))
    const inBrowser = new Map<unknown, unknown>(drawn)
    const kernel = await readFile(path.join(engineDir, 'kernels/frame-drawer.wasm'))
    const inNode = await drawScenes(await WebAssembly.compile(kernel))
    assert.deepEqual(inNode['stack, kernel'], inNode['stack'])
    assert.equal(inBrowser.size, Object.keys(inNode).length)
    for (const [name, pixels] of Object.entries(inNode)) {
      assert.equal(inBrowser.get(name), Buffer.from(pixels).toString('base64'), name)
    }
  })

  it('writes the same files in Chromium as in Node, and Chromium reads their pixels', async () => {
    const written: unknown = await tab.evaluate(`
      import('/test/browser/encode-pictures.ts').then(async ({ encodePictures }) => {
        const made = await encodePictures(async name =>
          new Uint8Array(await (await fetch('/kernels/' + name + '.wasm')).arrayBuffer()))
        return await Promise.all(Object.entries(made).map(async ([name, { file, picture }]) => {
          const bitmap = await createImageBitmap(new Blob([file]), { colorSpaceConversion: 'none' })
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
          canvas.drawImage(bitmap, 0, 0)
          const shown = canvas.getImageData(0, 0, bitmap.width, bitmap.height).data.filter((_, i) => i % 4 < 3)
          let difference = 0
          shown.forEach((value, i) => (difference = Math.max(difference, Math.abs(value - picture.data[i]))))
          return [name, { file: file.toBase64(), shownPx: bitmap.width * bitmap.height, difference }]
        }))
      })
    `)
    assert.ok(Array.isArray(written))
    const inBrowser = new Map<unknown, unknown>(written)
    const inNode = await encodePictures(name => readFile(path.join(engineDir, 'kernels', `${name}.wasm`)))
    assert.equal(inBrowser.size, Object.keys(inNode).length)
    for (const [name, { file, picture }] of Object.entries(inNode)) {
      const shown = inBrowser.get(name)
      assert.ok(typeof shown === 'object' && shown !== null && 'file' in shown)
      assert.equal(shown.file, Buffer.from(file).toString('base64'), name)
      assert.ok('shownPx' in shown && shown.shownPx === picture.widthPx * picture.heightPx)
      if (name.endsWith('png')) assert.ok('difference' in shown && shown.difference === 0, name)
    }
  })
})
