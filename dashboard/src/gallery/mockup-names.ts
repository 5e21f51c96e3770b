/** File names of downloaded mockups: a pattern with placeholders that are filled in for each. */

const NAME_PATTERN_CHARACTERS_MAX = 100

/** The longest name without its extension, in characters: file systems allow 255 bytes. */
const STEM_CHARACTERS_MAX = 120

export const DEFAULT_NAME_PATTERN = '{artwork}--{template}'

const placeholders = ['artwork', 'template', 'size', 'width', 'number'] as const
type Placeholder = (typeof placeholders)[number]

const isPlaceholder = (name: string): name is Placeholder => placeholders.some(each => each === name)

/** The placeholders as users write them. */
export const placeholdersInWords = placeholders.map(name => `{${name}}`).join(', ')

/** What is wrong with a pattern and how to correct it; null if it is valid. */
export function faultOfPattern(pattern: string): string | null {
  const text = pattern.trim()
  if (text === '') return `Enter a pattern for names, such as ${DEFAULT_NAME_PATTERN}.`
  if (text.length > NAME_PATTERN_CHARACTERS_MAX)
    return `A pattern has at most ${NAME_PATTERN_CHARACTERS_MAX} characters; this one has ${text.length}.`
  for (const [whole, name = ''] of text.matchAll(/\{([^{}]*)\}/g))
    if (!isPlaceholder(name)) return `“${whole}” is unknown: use ${placeholdersInWords}.`
  const literal = text.replaceAll(/\{[^{}]*\}/g, '')
  if (/[{}]/.test(literal)) return 'A brace is unmatched: write {artwork}, for example.'
  const [wrong] = /[^\p{L}\p{M}\p{N}._ ()[\],+=@&!~-]/u.exec(literal) ?? []
  if (wrong !== undefined) return `“${wrong}” is not allowed in file names everywhere: leave it out.`
  if (!/\{(artwork|template|number)\}/.test(text)) return 'Use {artwork}, {template} or {number}: names must differ.'
  return null
}

/** The values of the placeholders for one mockup. */
export type NamedMockup = Readonly<Record<Exclude<Placeholder, 'number'>, string>>

/** A unique name for each mockup. With several sizes, one is added if the pattern lacks it. */
export function nameMockups(pattern: string, mockups: readonly NamedMockup[], extension: string): string[] {
  const isOfSizes = new Set(mockups.map(({ size }) => size)).size > 1
  const text = pattern.trim()
  const full = isOfSizes && !/\{(size|width)\}/.test(text) ? `${text}--{size}` : text
  const digits = String(mockups.length).length
  const taken = new Set<string>()
  return mockups.map((mockup, index) => {
    const values = { ...mockup, number: String(index + 1).padStart(digits, '0') }
    const stem = full.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (isPlaceholder(name) ? values[name] : whole))
    return takeName(taken, safeStem(stem), `.${extension}`)
  })
}

/** Unique names of artworks, without their extensions. */
export function artworkStems(artworks: readonly { readonly name: string }[]): string[] {
  const taken = new Set<string>()
  return artworks.map(({ name }) =>
    takeName(
      taken,
      name
        .normalize('NFC')
        .replace(/\.[^.]*$/, '')
        .replaceAll(/[^\p{L}\p{M}\p{N}._ ()[\]-]+/gu, '_')
        .trim()
        .slice(0, 80) || 'artwork',
      '',
    ),
  )
}

/** Windows refuses its device names; some programs hide names that begin with a dot. */
function safeStem(text: string): string {
  const stem = text.slice(0, STEM_CHARACTERS_MAX).trim().replace(/^\.+/, '_')
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(stem) ? `_${stem}` : stem || 'mockup'
}

/** The first unused of `stem`, `stem (2)`, ... Some file systems ignore case, some Unicode normalisation. */
function takeName(taken: Set<string>, stem: string, ending: string): string {
  const same = (name: string): string => name.toUpperCase().toLowerCase().normalize('NFC')
  let name = `${stem}${ending}`
  for (let number = 2; taken.has(same(name)); number++) name = `${stem} (${number})${ending}`
  taken.add(same(name))
  return name
}

/** Numbers names that occur more than once, so that each is a separate file in a zip. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map(name => {
    const dot = name.lastIndexOf('.')
    return dot > 0 ? takeName(taken, name.slice(0, dot), name.slice(dot)) : takeName(taken, name, '')
  })
}
