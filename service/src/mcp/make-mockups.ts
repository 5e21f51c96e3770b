import { createHash } from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { MADE_KEY_PREFIX, outputFormats } from '@vitrine/contract'
import { pathOf } from './artwork-path.ts'
import { explainFailure, isFinal } from './explain-failure.ts'
import { makePreviews, PREVIEW_BYTES_MAX } from './make-previews.ts'
import type { McpSurroundings } from './mcp-surroundings.ts'
import type { MadeMockup } from './mockup-source.ts'
import type { CreateArguments, CreateResult } from './tool-schemas.ts'

const webAddress = /^https?:\/\//i

/** create_mockup: makes the mockups one by one, and returns a small preview of each. */
export async function makeMockups(given: CreateArguments, surroundings: McpSurroundings): Promise<CallToolResult> {
  const { templates, max_credits: maxCredits } = given
  const { source, files } = surroundings
  if (source.account !== null && maxCredits !== undefined && templates.length > maxCredits)
    throw new Error(
      `This would cost ${templates.length} credits, more than max_credits ${maxCredits}: nothing was made.`,
    )
  const places = placesOf(given)
  const found = await Promise.all(places.map(place => readArtwork(place, files)))
  const artworks = found.map(({ artwork }) => artwork)
  const digests = found.map(({ digest }) => digest)
  const toFolder = files === null ? null : await files.findFolder(given.save_to ?? '')
  await using drafts = await surroundings.folders.create()
  const result: CreateResult = { mockups: [], failures: [], credits_used: 0, credits_remaining: null }
  const pictures: string[] = []
  const made: MadeMockup[] = []
  const previewBytesMax = Math.floor(PREVIEW_BYTES_MAX / templates.length)
  for (const [index, template] of templates.entries()) {
    const toFile = drafts.file(`mockup-${index}`)
    const { format, width, placement, colors } = given
    const idempotencyKey = keyOf(given, template, digests)
    try {
      const asked = { template, artworks, format, width, placement, colors, idempotencyKey, toFile, previewBytesMax }
      const mockup = await source.make(asked)
      result.credits_used += mockup.creditsUsed
      result.credits_remaining = mockup.creditsRemaining
      const name = `${nameOf(places[0] ?? '')}-${template}.${outputFormats[given.format].extension}`
      const saved =
        files === null || toFolder === null
          ? null
          : await files.save(toFile, toFolder, name, given.overwrite === true).catch((error: unknown) => {
              throw explainUnsaved(error, mockup)
            })
      result.mockups.push(describe(template, given.format, mockup, saved))
      pictures.push(toFile)
      made.push(mockup)
    } catch (error) {
      result.failures.push({ template_id: template, error: explainFailure(error) })
      if (isFinal(error)) break
    }
  }
  return answerOf(result, await previewsOf(made, pictures))
}

/** The previews that the source made, as base64, or else made here. */
async function previewsOf(
  made: readonly MadeMockup[],
  pictures: readonly string[],
): Promise<readonly (string | undefined)[]> {
  if (made.every(({ preview }) => preview === undefined))
    return pictures.length === 0 ? [] : ((await makePreviews(pictures)) ?? [])
  return made.map(({ preview }) => (preview ? Buffer.from(preview).toString('base64') : undefined))
}

/** The paths or URLs of the artworks: one for all frames, or one for each. */
function placesOf({ artwork, artworks }: CreateArguments): readonly string[] {
  if ((artwork === undefined) === (artworks === undefined))
    throw new Error('Expected artwork, for all frames, or artworks, one for each frame.')
  return artworks ?? (artwork === undefined ? [] : [artwork])
}

async function readArtwork(given: string, files: McpSurroundings['files']) {
  if (webAddress.test(given)) return { artwork: { address: given }, digest: given }
  if (files === null) {
    const [scheme = ''] = /^[a-z\d+.-]*:/i.exec(given) ?? []
    throw new Error(
      `Expected the http(s) address of the artwork but received one with ${scheme}: files are read by "vitrine mcp", on the machine where they are.`,
    )
  }
  const { file, sha256 } = await files.findArtwork(given)
  return { artwork: { file }, digest: sha256 }
}

/** Equal for equal arguments and files, so that an assistant repeating a call is not charged twice. */
function keyOf(
  { format, width, placement, colors }: CreateArguments,
  template: string,
  digests: readonly string[],
): string {
  const asked = JSON.stringify([template, digests, format, width, placement ?? null, colors ?? null])
  return `${MADE_KEY_PREFIX}mcp-${createHash('sha256').update(asked).digest('hex')}`
}

/** Reports a mockup that was paid for but not saved: repeating the call is free. */
function explainUnsaved(error: unknown, { url }: MadeMockup): Error {
  const place = url === null ? '' : ` It can be fetched at ${url}.`
  return new Error(`The mockup was made, but it cannot be saved: ${explainFailure(error)}${place}`, { cause: error })
}

/** The artwork's name, which the names of its mockups include. */
function nameOf(artwork: string): string {
  const place = webAddress.test(artwork) ? new URL(artwork).pathname : pathOf(artwork)
  const name = path
    .parse(place)
    .name.replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 60)
  return name.replace(/^[.-]+/, '') || 'artwork'
}

function describe(template: string, format: CreateArguments['format'], made: MadeMockup, saved: string | null) {
  return {
    template_id: template,
    content_type: outputFormats[format].mediaType,
    path: saved,
    url: made.url,
    url_expires_at: made.urlExpiresAt,
    size_bytes: made.sizeBytes,
  }
}

function answerOf(result: CreateResult, previews: readonly (string | undefined)[]): CallToolResult {
  const { mockups, failures, credits_used: used, credits_remaining: remaining } = result
  const lines = [
    ...mockups.map(({ template_id, path, url }) => `${template_id}: ${path ?? url ?? 'made'}`),
    ...failures.map(({ template_id, error }) => `${template_id} failed: ${error}`),
    remaining === null ? 'No credits were used.' : `Credits used: ${used}, left: ${remaining}.`,
  ]
  const content: CallToolResult['content'] = [{ type: 'text', text: lines.join('\n') }]
  for (const [index, { template_id, content_type, path, url, size_bytes }] of mockups.entries()) {
    const data = previews[index]
    if (data !== undefined) content.push({ type: 'image', data, mimeType: 'image/jpeg' })
    const uri = path === null ? url : pathToFileURL(path).href
    if (uri !== null)
      content.push({ type: 'resource_link', uri, name: template_id, mimeType: content_type, size: size_bytes })
  }
  return { content, structuredContent: result, ...(mockups.length === 0 ? { isError: true } : {}) }
}
