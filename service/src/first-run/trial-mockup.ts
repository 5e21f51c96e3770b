import { copyFile } from 'node:fs/promises'
import { limits } from '@vitrine/contract'
import type { Services } from '../services.ts'
import { sampleArtworkFile } from '../templates/open-template-store.ts'

type Tools = Pick<Services, 'pool' | 'folders' | 'templates'>

/**
 * Makes a mockup that nobody gets and nobody pays for: a render process has the template ready when the first
 * request comes. What fails here fails again in that request, which says so.
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
  // Without its digest: the trial is none of the two uses after which a template is prepared in a file.
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
