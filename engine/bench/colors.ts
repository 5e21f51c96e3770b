import path from 'node:path'
import { parseTemplate, prepareTemplate, recolorTemplate } from '../src/index.ts'
import { openBundleFolder } from '../src/node/index.ts'
import { codec, loadSubject, measureWhole } from './mockups.ts'
import type { Bar } from './page.ts'

const WIDTH_PX = 2000

/**
 * A product in another colour, once its scene is made, beside the product as it is: whole mockups. Composing
 * and encoding alone only inform: tables of its own, which some pictures get, cost a part of that.
 */
export async function judgeColors(artwork: Uint8Array, rounds: number): Promise<Bar[]> {
  const folder = path.resolve(import.meta.dirname, '../../templates/white-tee-flat-lay')
  const files = await openBundleFolder(folder)
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
  const base = await prepareTemplate(template, files, WIDTH_PX, codec)
  const startedMs = performance.now()
  const navy = await recolorTemplate(base, template, files, new Map([['shirt', '#1f2a44']]), codec)
  console.error(`a scene in another colour is made in ${Math.round(performance.now() - startedMs)} ms`)
  const subjects = [await loadSubject(base, artwork), await loadSubject(navy, artwork)]
  const [plain, colored] = await measureWhole(subjects, rounds)
  if (!(plain && colored)) throw new Error('Expected the costs of two subjects.')
  return [
    {
      name: 'second mockup in a colour, cold / mockup in the default colour',
      atMost: 1.05,
      value: colored.cold / plain.cold,
    },
    { name: 'the same, composing and encoding alone', atMost: null, value: colored.render / plain.render },
  ]
}
