import { copyFile } from 'node:fs/promises'
import { limits } from '@vitrine/contract'
import type { Services } from '../services.ts'
import { sampleArtworkFile } from '../templates/open-template-store.ts'

type Tools = Pick<Services, 'pool' | 'folders' | 'templates'>

/**
 * Makes a mockup that is discarded and free, so that a render process has the template ready for the first
 * request. If it fails, so does that request, which then reports the error.
 */
export async function makeTrialMockup(
  { pool, folders, templates }: Tools,
  templateId: string,
  accountId: string,
): Promise<void> {
  const template = await templates.get(templateId)
  if (template === null) return
  await using folder = await folders.create()
  const artwork = folder.file('artwork')
  await copyFile(sampleArtworkFile, artwork)
  // Without its digest, so that the trial does not count as one of the two uses after which a prepared
  // template is stored.
  const { key, folder: bundleFolder } = await templates.localBundle(template)
  const job = {
    accountId,
    mockups: [{ bundle: { key, folder: bundleFolder }, toFile: folder.file('mockup') }],
    artworks: [{ frame: null, file: artwork, contentName: null }],
    placements: { all: undefined, byFrame: [] },
    colors: [],
    output: { format: 'jpeg', quality: limits.qualityDefault, widthPx: limits.widthPxDefault },
  } as const
  await pool.render(job, pool.admit(accountId)).catch(() => undefined)
}
