import { GenerationError } from './generation-error.ts'
import type { ChosenColors } from './request-artwork.ts'

/** What matching needs to know of a template. */
export type ColoredTemplate = { readonly colors: readonly { readonly name: string }[] }

/**
 * Checks that each colour of a request is for an area of at least one of its templates.
 *
 * @throws GenerationError `unknown-colors`
 */
export function matchColors(colors: ChosenColors, templates: readonly ColoredTemplate[]): void {
  const known = [...new Set(templates.flatMap(template => template.colors.map(({ name }) => name)))]
  const unknown = colors.flatMap(([area]) => (known.includes(area) ? [] : [area]))
  if (unknown.length > 0) throw new GenerationError({ kind: 'unknown-colors', unknown, known })
}
