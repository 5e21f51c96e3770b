import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { slugOf } from '@vitrine/engine/bundle'
import { OperatorError } from '../errors/operator-error.ts'
import { makePhotoTemplate } from '../photo-import/make-photo-template.ts'
import { PHOTO_BUNDLE_FOLDER } from '../photo-import/photo-files.ts'
import type { MadeOfPhoto } from '../photo-import/photo-message.ts'
import type { CommandOutput, JsonValue } from './command-output.ts'
import { assertReplaceable, type ImportBundle, sizeOf, writeFolder } from './psd-command.ts'

export type PhotoOptions = { drawing: string; out?: string; id?: string; name?: string; category: string }

/** All files of a template from a photo. A folder with other files, such as the photo, is not replaced. */
const madeFile = /^(template\.json|drawing\.json|scene\.png|(frame|rest)-\d+(-[a-z]+)?\.png|product-[a-z]+\.png)$/
const isMade = (names: readonly string[]): boolean =>
  names.includes('template.json') && names.every(name => madeFile.test(name))

/** Makes a template from a photo and a drawing, reports doubts, and writes it to a folder or imports it. */
export async function photoCommand(
  file: string,
  options: PhotoOptions,
  output: CommandOutput,
  importBundle: ImportBundle,
): Promise<void> {
  for (const each of [file, options.drawing]) {
    const isFile = (await stat(each).catch(() => null))?.isFile() ?? false
    if (!isFile) throw new OperatorError(`There is no file ${each}.`)
  }
  const folder = options.out === undefined ? null : path.resolve(options.out)
  if (folder !== null) await assertReplaceable(folder, isMade, 'template from a photo')
  const base = path.basename(file, path.extname(file))
  const details = { id: options.id ?? idOf(base), name: options.name ?? base, category: options.category }
  const draft = await mkdtemp(path.join(tmpdir(), 'vitrine-photo-'))
  try {
    const made = await makePhotoTemplate({
      from: path.resolve(file),
      drawing: path.resolve(options.drawing),
      toFolder: draft,
      details,
    })
    const bundle = path.join(draft, PHOTO_BUNDLE_FOLDER)
    const template = folder === null ? await importBundle(bundle) : null
    if (folder !== null) await writeFolder(bundle, folder)
    const shown = folder === null ? null : path.relative('.', folder) || '.'
    const bytes = await sizeOf(bundle, made.files)
    const written = `Wrote ${shown}/ (${(bytes / 1e6).toFixed(1)} MB). Check: vitrine template check ${shown}`
    // Plain data, sent as JSON by the process that made it.
    const report = made.report as unknown as { readonly [name: string]: JsonValue }
    output.finish([...describeReport(made, base), ...(template?.sentences ?? [written])], {
      ...report,
      template_id: template?.templateId ?? null,
      version: template?.version ?? null,
      out: folder,
      size_bytes: bytes,
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Describes the result, with a line for each frame and each doubt. */
function describeReport({ report }: MadeOfPhoto, name: string): string[] {
  const head = `${name}  ${report.widthPx} x ${report.heightPx}, tone ${report.tone}`
  const frames = report.frames.flatMap(({ region, color, residualPx, doubts }, index) => {
    const [, , width, height] = region
    const fit = residualPx === null ? '' : `, points ${residualPx.toFixed(1)} px off`
    const line = `frame ${index}  ${width} x ${height} px, on ${color}${fit}`
    return [line, ...doubtful(doubts)]
  })
  const product = report.productColor === null ? [] : [`product  ${report.productColor}`]
  return [head, ...frames, ...product, ...doubtful(report.productDoubts)]
}

const doubtful = (doubts: MadeOfPhoto['report']['productDoubts']): string[] =>
  doubts.map(({ sentence }) => `  doubtful: ${sentence}`)

/** Derives a template id from a name; if it has no letter of a-z, a generic one. */
function idOf(name: string): string {
  const id = slugOf(name, { maxLength: 64 })
  return id.length >= 2 ? id : `photo-${id}`.replace(/-$/, '')
}
