import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { defaults } from '@vitrine/contract'
import { parseTemplate, type Template } from '@vitrine/engine'
import { openBundleFolder } from '@vitrine/engine/node'
import { listStarterPack } from '../first-run/starter-pack.ts'
import { renderHere } from '../local-render/render-here.ts'
import { parsePlacement } from '../routes/parse-placement.ts'
import { sampleArtworkFile } from '../templates/open-template-store.ts'
import { type ListedTemplate, type MockupSource, TEMPLATES_PER_PAGE } from './mockup-source.ts'

const SHOWN_WIDTH_PX = 800
const SHOWN_QUALITY = 82

/** Uses the engine on this machine with the bundled templates: no service, no credits. */
export function localSource(): MockupSource {
  return {
    cost: 'Mockups are made on this machine and cost nothing.',
    async listTemplates({ search = '', type, category, page }) {
      const all = await readAll()
      const found = all.filter(
        each =>
          each.name.toLowerCase().includes(search.toLowerCase()) &&
          (type === undefined || each.is_product_template === (type === 'product')) &&
          (category === undefined || each.category.toLowerCase() === category.toLowerCase()),
      )
      const first = (page - 1) * TEMPLATES_PER_PAGE
      return {
        templates: found.slice(first, first + TEMPLATES_PER_PAGE),
        hasMore: found.length > first + TEMPLATES_PER_PAGE,
      }
    },
    async showTemplate(id) {
      const template = (await readAll()).find(each => each.id === id)
      if (template === undefined) return null
      const output = { format: 'jpeg', quality: SHOWN_QUALITY, widthPx: SHOWN_WIDTH_PX } as const
      const { bytes } = await render(id, [sampleArtworkFile], output, {})
      return { template, picture: bytes }
    },
    async make({ template, artworks, format, width: widthPx, placement, colors, toFile }) {
      const files = artworks.flatMap(artwork => ('file' in artwork ? artwork.file : []))
      if (files.length < artworks.length)
        throw new Error('Expected the path of a file: without a service (VITRINE_URL) nothing is downloaded.')
      const output = { format, quality: defaults.quality, widthPx }
      const { bytes } = await render(template, files, output, { placement, colors })
      await writeFile(toFile, bytes)
      return {
        creditsUsed: 0,
        creditsRemaining: null,
        replayed: false,
        url: null,
        urlExpiresAt: null,
        sizeBytes: bytes.byteLength,
      }
    },
    account: null,
  }
}

async function readAll(): Promise<ListedTemplate[]> {
  const parsed = await Promise.all(
    listStarterPack().map(async folder =>
      parseTemplate(JSON.parse(await readFile(path.join(folder, 'template.json'), 'utf8'))),
    ),
  )
  return parsed.map(listed).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function listed({ id, name, category, type, frames, colors }: Template): ListedTemplate {
  return {
    id,
    name,
    category,
    frame_count: frames.length,
    frames: frames.map(({ aspectRatio, slot }, index) => ({
      index,
      aspect_ratio: aspectRatio,
      ...(slot === null ? {} : { slot }),
    })),
    is_product_template: type === 'product',
    colors: colors.map(area => area.name),
  }
}

async function render(
  id: string,
  artworks: readonly string[],
  output: Parameters<typeof renderHere>[1]['output'],
  { placement, colors = {} }: { placement?: object | undefined; colors?: Readonly<Record<string, string>> | undefined },
) {
  const folder = listStarterPack().find(each => path.basename(each) === id)
  if (folder === undefined) throw new Error(`There is no template ${JSON.stringify(id)}: list_templates shows all.`)
  return renderHere(await openBundleFolder(folder), {
    artworks,
    placements: () => ({
      all: placement === undefined ? undefined : parsePlacement('placement', placement),
      byFrame: new Map(),
    }),
    colors: template => {
      const known = template.colors.map(area => area.name)
      const unknown = Object.keys(colors).find(name => !known.includes(name))
      if (unknown === undefined) return new Map(Object.entries(colors))
      throw new Error(`Expected the colour areas ${known.join(', ') || 'of another template'} but received ${unknown}.`)
    },
    output,
  })
}
