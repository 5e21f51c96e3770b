import { hexColor } from '@vitrine/contract'
import type { ChosenColors, Template } from '@vitrine/engine'
import type { Command } from 'commander'
import { OperatorError } from '../errors/operator-error.ts'

export type ColorOptions = { color?: readonly string[] }

/** Adds `--color name=#rrggbb`, once for each area. */
export function addColorOption(command: Command): Command {
  const collect = (text: string, earlier: readonly string[] = []) => [...earlier, text]
  return command.option(
    '--color <area=#rrggbb>',
    'colour of a part of the product; may be given several times',
    collect,
  )
}

/** The colours given by the options, by area name. */
export function readColors({ color: given = [] }: ColorOptions, { id, colors }: Template): ChosenColors {
  return new Map(given.map(text => readColor(text, id, colors)))
}

function readColor(text: string, id: string, areas: Template['colors']): readonly [area: string, color: string] {
  const [name = '', value] = text.split('=')
  if (!areas.some(area => area.name === name)) {
    const known = areas.length === 0 ? 'none, which has no colour areas,' : areas.map(area => area.name).join(', ')
    throw new OperatorError(
      `Expected the colour areas of ${id} (${known}) for --color but received ${JSON.stringify(name)}.`,
    )
  }
  const parsed = hexColor.schema.safeParse(value)
  if (parsed.success) return [name, parsed.data.toLowerCase()]
  throw new OperatorError(`Expected ${name}=#rrggbb for --color but received ${JSON.stringify(text)}.`)
}
