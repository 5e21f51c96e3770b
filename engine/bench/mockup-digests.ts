/**
 * SHA-256 of mockups, to compare processors: the same job gives the same bytes everywhere. Each starter
 * template as JPEG and PNG, with a turned placement, in another colour where it has areas, and one with every
 * kind of artwork.
 *
 *   node engine/bench/mockup-digests.ts [template…]
 *
 * Prints a line a mockup, and the SHA-256 of these lines. docs/decisions/start.md says where they were equal.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  type ChosenColors,
  centredCover,
  type Placement,
  parseTemplate,
  prepareTemplate,
  recolorTemplate,
} from '../src/index.ts'
import { createFrameKernel, createRenderer, createSharpCodec, openBundleFolder } from '../src/node/index.ts'
import { listTemplates } from './list-templates.ts'

type Case = {
  readonly what: string
  readonly format: 'jpeg' | 'png'
  readonly artwork: string
  readonly placement?: Placement
}

const WIDTH_PX = 1000
const QUALITY = 85
const DYE = '#1f2a44'
const root = path.resolve(import.meta.dirname, '../..')
const SAMPLE_ARTWORK = 'templates/artworks/evening-hills.jpg'

/** Of every template. */
const everywhere: readonly Case[] = [
  { what: 'jpeg', format: 'jpeg', artwork: SAMPLE_ARTWORK },
  { what: 'png', format: 'png', artwork: SAMPLE_ARTWORK },
  {
    what: 'turned',
    format: 'png',
    artwork: SAMPLE_ARTWORK,
    placement: { ...centredCover, fit: 'contain', scale: 0.7, rotation: 33, x: 0.4, y: 0.55 },
  },
]

/** Of the first template: our JPEG and PNG decoders, then what libvips decodes. */
const artworks: readonly Case[] = [
  { what: 'progressive', format: 'png', artwork: 'engine/test/decoding/fixtures/420-progressive.jpg' },
  { what: 'png artwork', format: 'png', artwork: 'templates/artworks/mountain-logo.png' },
  { what: 'declined jpeg', format: 'png', artwork: 'engine/test/decoding/fixtures/411-declined.jpg' },
  { what: 'webp', format: 'png', artwork: 'docs/pictures/try-it.webp' },
]

const codec = createSharpCodec()
const kernel = createFrameKernel()
const renderer = createRenderer(kernel)
const lines: string[] = []

async function digest(folder: string, cases: readonly Case[], chosen: ChosenColors): Promise<void> {
  const files = await openBundleFolder(folder)
  const template = parseTemplate(JSON.parse(await readFile(path.join(folder, 'template.json'), 'utf8')))
  const base = await prepareTemplate(template, files, WIDTH_PX, codec, kernel)
  const prepared = await recolorTemplate(base, template, files, chosen, codec, kernel)
  for (const { what, format, artwork, placement } of cases) {
    const mockup = await renderer.render(
      {
        prepared,
        artworks: { bytes: await readFile(path.join(root, artwork)) },
        placements: { all: placement },
        output: { format, quality: QUALITY },
      },
      codec,
    )
    const line = `${createHash('sha256').update(mockup.bytes).digest('hex')}  ${template.id} ${what}`
    lines.push(line)
    console.log(line)
  }
}

const wanted = process.argv.slice(2)
const folders = (await listTemplates()).filter(folder => wanted.length === 0 || wanted.includes(path.basename(folder)))
for (const folder of folders) {
  const cases = folder === folders[0] ? [...everywhere, ...artworks] : everywhere
  await digest(folder, cases, new Map())
  const { colors } = parseTemplate(JSON.parse(await readFile(path.join(folder, 'template.json'), 'utf8')))
  const dyed = new Map(colors.map(({ name }) => [name, DYE]))
  if (dyed.size > 0) await digest(folder, [{ what: 'dyed', format: 'png', artwork: SAMPLE_ARTWORK }], dyed)
}
const all = createHash('sha256')
  .update(lines.map(line => `${line}\n`).join(''))
  .digest('hex')
console.log(`${lines.length} mockups on ${process.platform} ${process.arch}: ${all}`)
