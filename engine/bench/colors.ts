import path from 'node:path'
import { parseTemplate, prepareTemplate, recolorTemplate } from '../src/index.ts'
import { openBundleFolder } from '../src/node/index.ts'
import { makeArtwork } from './artworks.ts'
import { codec, loadSubject, measureRender } from './mockups.ts'
import type { Bar } from './page.ts'

const WIDTH_PX = 2000

/** A product in another colour, once its scene is made, beside the product as it is. */
export async function judgeColors(rounds: number): Promise<Bar[]> {
  const folder = path.resolve(import.meta.dirname, '../../templates/white-tee-flat-lay')
  const files = await openBundleFolder(folder)
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
  const base = await prepareTemplate(template, files, WIDTH_PX, codec)
  const startedMs = performance.now()
  const navy = await recolorTemplate(base, template, files, new Map([['shirt', '#1f2a44']]), codec)
  console.error(`a scene in another colour is made in ${Math.round(performance.now() - startedMs)} ms`)
  const artwork = await makeArtwork(1200, 1500, 'jpeg')
  const subjects = [await loadSubject(base, artwork), await loadSubject(navy, artwork)]
  const [plain = Number.NaN, colored = Number.NaN] = await measureRender(subjects, rounds)
  return [{ name: 'second mockup in a colour / mockup in the default colour', atMost: 1.05, value: colored / plain }]
}
