/** What a bulk run has to make: every artwork in every template. */
import { type OutputFormat, outputFormats } from '@vitrine/contract'

export type BulkTask = {
  /** Its index in the run, by which its result is kept. */
  readonly index: number
  readonly artwork: File
  readonly templateId: string
  readonly fileName: string
}

const stemOf = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}._ -]+/gu, '_')
    .trim()
    .slice(0, 80) || 'artwork'

/**
 * The first of `stem`, `stem (2)`, ... that is unused. Some file systems ignore case, some the encoding of
 * accents.
 */
function takeName(taken: Set<string>, stem: string, ending: string): string {
  const same = (name: string): string => name.toUpperCase().toLowerCase().normalize('NFC')
  let name = `${stem}${ending}`
  for (let number = 2; taken.has(same(name)); number++) name = `${stem} (${number})${ending}`
  taken.add(same(name))
  return name
}

/**
 * `artwork--template.jpg`, unique in a run: where two artworks have one name, the later one gets a number.
 */
export function buildTasks(
  artworks: readonly File[],
  templateIds: readonly string[],
  format: OutputFormat,
): BulkTask[] {
  const stems = new Set<string>()
  const names = new Set<string>()
  const ending = `.${outputFormats[format].extension}`
  const named = artworks.map(artwork => ({ artwork, stem: takeName(stems, stemOf(artwork.name), '') }))
  return named
    .flatMap(({ artwork, stem }) => templateIds.map(templateId => ({ artwork, stem, templateId })))
    .map(({ artwork, stem, templateId }, index) => ({
      index,
      artwork,
      templateId,
      // "a--b" in "c" and "a" in "b--c" would be one name.
      fileName: takeName(names, `${stem}--${templateId}`, ending),
    }))
}
