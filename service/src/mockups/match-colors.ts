import { GenerationError } from './generation-error.ts'
import type { ChosenColors } from './request-artwork.ts'

/** What matching needs to know about a template. */
export type ColoredTemplate = { readonly colors: readonly { readonly name: string }[] }

/**
 * Checks that each colour is for an area that at least one of the templates has.
 *
 * @throws GenerationError `unknown-colors`
 */
export function matchColors(colors: ChosenColors, templates: readonly ColoredTemplate[]): void {
  const known = [...new Set(templates.flatMap(template => template.colors.map(({ name }) => name)))]
  const unknown = colors.flatMap(([area]) => (known.includes(area) ? [] : [area]))
  if (unknown.length > 0) throw new GenerationError({ kind: 'unknown-colors', unknown, known })
}
