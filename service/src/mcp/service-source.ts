import { stat } from 'node:fs/promises'
import { fileArtwork, saveTo, type Template, type Vitrine } from '../api-client/client.ts'
import { type ListedTemplate, type MockupOrder, type MockupSource, TEMPLATES_PER_PAGE } from './mockup-source.ts'

/** The most templates searched for an id: each hundred takes a request. */
const SEARCHED_TEMPLATES_MAX = 2_000

/** Uses a service with an API key of its account. */
export function serviceSource(
  vitrine: Vitrine,
  fetchThumbnail: (url: string) => Promise<Uint8Array | null>,
): MockupSource {
  return {
    cost: 'Each mockup costs 1 credit; an error costs nothing, and neither does the same call again within 24 hours.',
    async listTemplates({ search, type, category, page }) {
      const first = (page - 1) * TEMPLATES_PER_PAGE
      const found: Template[] = []
      for await (const template of vitrine.templates({ search, type, category })) {
        found.push(template)
        if (found.length > first + TEMPLATES_PER_PAGE) break
      }
      return {
        templates: found.slice(first, first + TEMPLATES_PER_PAGE).map(listed),
        hasMore: found.length > first + TEMPLATES_PER_PAGE,
      }
    },
    async showTemplate(id) {
      let left = SEARCHED_TEMPLATES_MAX
      for await (const template of vitrine.templates()) {
        if (template.id === id) {
          const { thumbnail_url: url } = template
          return { template: listed(template), picture: url === null ? null : await fetchThumbnail(url) }
        }
        if (--left === 0) break
      }
      return null
    },
    make: order => make(vitrine, order),
    account: {
      balance: () => vitrine.balance(),
      usage: period => vitrine.usage({ period, scope: 'account' }),
    },
  }
}

function listed(template: Template): ListedTemplate {
  const { id, name, category, frame_count, frames, is_product_template, colors } = template
  return { id, name, category, frame_count, frames, is_product_template, colors: colors.map(area => area.name) }
}

async function make(vitrine: Vitrine, order: MockupOrder) {
  const { artworks, toFile, ...asked } = order
  const sources = await Promise.all(
    artworks.map(async each => ('file' in each ? fileArtwork(each.file) : each.address)),
  )
  const [first] = sources
  const mockup = await vitrine.generate({ ...asked, artwork: sources.length === 1 && first ? first : sources })
  await saveTo(mockup, toFile)
  const { creditsUsed, creditsRemaining, replayed, url, urlExpiresAt } = mockup
  const { size: sizeBytes } = await stat(toFile)
  return { creditsUsed, creditsRemaining, replayed, url, urlExpiresAt: urlExpiresAt?.toISOString() ?? null, sizeBytes }
}
