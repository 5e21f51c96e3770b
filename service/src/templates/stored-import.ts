import { createReadStream, existsSync } from 'node:fs'
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BundleError, packWidthsPx } from '@vitrine/engine/bundle'
import { BundleDigest } from './bundle-digest.ts'
import { FILES_FOLDER, packName, THUMBNAIL_FILE } from './bundle-files.ts'
import { bundleReportSchema, type InspectionRequest, type LookedAt } from './bundle-report.ts'
import { inspectBundle } from './inspect-bundle.ts'
import { noPack } from './pack-store.ts'

/** Stored beside the thumbnail and the packs, which have the names that the inspection gives them. */
const REPORT_FILE = 'report.json'

/** The stored result of an import, in files: taking it over decodes nothing. */
export type StoredImport = {
  readonly looked: LookedAt
  readonly template: NonNullable<LookedAt['template']>
  /** The files of the bundle, in the order of the report. */
  readonly files: readonly string[]
  readonly thumbnail: string
  /** Named like their objects. An empty file marks a pack that would be too large. */
  readonly packs: readonly string[]
}

/** Inspects a bundle and writes the import's results to an empty folder. */
export async function writeStoredImport(
  request: InspectionRequest & { readonly toFolder: string },
  inspect: (request: InspectionRequest) => Promise<LookedAt> = inspectBundle,
): Promise<void> {
  const { toFolder } = request
  const looked = await inspect(request)
  if (looked.template === null) throw new BundleError(looked.faults)
  await rm(path.join(toFolder, FILES_FOLDER), { recursive: true })
  await writeFile(path.join(toFolder, REPORT_FILE), `${JSON.stringify(looked, null, 2)}\n`)
  // Creates an empty file as a mark if there is no pack, and leaves an existing pack unchanged.
  for (const widthPx of packWidthsPx) await writeFile(path.join(toFolder, packName(widthPx)), noPack, { flag: 'a' })
  // The service may run as a different user than the owner of the checkout.
  for (const name of await readdir(toFolder)) await chmod(path.join(toFolder, name), 0o644)
}

/** The stored result for a bundle; null if it is incomplete or the bundle has changed. */
export async function readStoredImport(bundle: string, folder: string): Promise<StoredImport | null> {
  const reportFile = path.join(folder, REPORT_FILE)
  const thumbnail = path.join(folder, THUMBNAIL_FILE)
  const packs = packWidthsPx.map(widthPx => path.join(folder, packName(widthPx)))
  if (![reportFile, thumbnail, ...packs].every(file => existsSync(file))) return null
  const looked = bundleReportSchema.parse(JSON.parse(await readFile(reportFile, 'utf8')))
  if (looked.kind !== 'looked-at' || looked.template === null) return null
  const files = looked.files.map(name => path.join(bundle, name))
  if ((await digestFiles(looked.files, files)) !== looked.digest) return null
  return { looked, template: looked.template, files, thumbnail, packs }
}

/** Null if a file is missing. */
async function digestFiles(names: readonly string[], files: readonly string[]): Promise<string | null> {
  const digest = new BundleDigest()
  for (const [index, file] of files.entries()) {
    const status = await stat(file).catch(() => null)
    if (status === null) return null
    digest.addFile(names[index] ?? '', status.size)
    for await (const bytes of createReadStream(file)) digest.addBytes(bytes)
  }
  return digest.end()
}
