/** The types of both clients, and of the element, as text: made of the schemas of the contract. */
import { z } from 'zod'
import { type ReadEndpoint, readEndpoints } from '../contract/src/endpoints.ts'
import { shownArtwork } from '../contract/src/generation-result.ts'
import { outputFormats } from '../contract/src/output-formats.ts'
import { placement, placementDefaults } from '../contract/src/placement.ts'
import { template } from '../contract/src/template.ts'

/** What is read of a JSON Schema. */
const jsonSchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().default(''),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
})

type Field = { readonly name: string; readonly type: string; readonly isRequired: boolean; readonly says: string }
type RecordType = { readonly name: string; readonly says: string; readonly fields: readonly Field[] }

/** How a language writes types. */
type Language = {
  readonly scalars: Readonly<Record<string, string>>
  readonly enumOf: (values: readonly string[]) => string
  readonly listOf: (type: string) => string
  readonly pairOf: (type: string) => string
  readonly orNull: (type: string) => string
  readonly write: (record: RecordType) => string
}

/** What records within others are called; any other has the name of its field. */
const names: Readonly<Record<string, string>> = {
  frames: 'Frame',
  colors: 'ColorArea',
  suggestions: 'Suggestion',
  top_templates: 'TemplateCount',
  requests_by_day: 'DayCount',
}

const nameOf = (field: string): string =>
  names[field] ?? field.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The record of an object's schema, after those within it. */
function recordsOf(name: string, schema: unknown, language: Language): readonly RecordType[] {
  const within: RecordType[] = []
  const typeOf = (field: string, part: unknown): string => {
    const { type, enum: values, prefixItems, items } = jsonSchema.parse(part)
    if (Array.isArray(type) && type.length === 2 && type[1] === 'null')
      return language.orNull(typeOf(field, { ...Object(part), type: type[0] }))
    if (values !== undefined) return language.enumOf(values)
    if (prefixItems !== undefined) return language.pairOf(typeOf(field, prefixItems[0]))
    if (type === 'array') return language.listOf(typeOf(field, items))
    if (type === 'object') within.push(...recordsOf(nameOf(field), part, language))
    const written = type === 'object' ? nameOf(field) : language.scalars[String(type)]
    if (written === undefined) throw new Error(`Expected a type that clients have for ${field} of ${name}.`)
    return written
  }
  const { properties, required, description } = jsonSchema.parse(schema)
  const fields = Object.entries(properties).map(([field, part]) => {
    const isRequired = required.includes(field)
    return { name: field, type: typeOf(field, part), isRequired, says: saysOf(part) }
  })
  return [...within, { name, says: description, fields }]
}

/** The description; of a field that may be left out with its range. */
function saysOf(part: unknown): string {
  const { description, minimum, maximum } = jsonSchema.parse(part)
  const isOfRequest = minimum !== undefined && maximum !== undefined && description.includes('Default')
  return isOfRequest ? `${description} ${minimum} to ${maximum}.` : description
}

const TEXT_COLUMNS = 100

/** Breaks a text into lines. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= TEXT_COLUMNS) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function commentOf(text: string, indent: string): string {
  if (text === '') return ''
  const lines = linesOf(text)
  return lines.length === 1
    ? `${indent}/** ${text} */\n`
    : `${indent}/**\n${lines.map(line => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

const typescript: Language = {
  scalars: { string: 'string', number: 'number', integer: 'number', boolean: 'boolean' },
  enumOf: values => values.map(value => `'${value}'`).join(' | '),
  listOf: type => `readonly ${type}[]`,
  pairOf: type => `readonly [x: ${type}, y: ${type}]`,
  orNull: type => `${type} | null`,
  write: ({ name, says, fields }) =>
    `${commentOf(says, '')}export type ${name} = {\n${fields
      .map(({ name, type, isRequired, says }) => {
        const written = isRequired ? `${name}: ${type}` : `${name}?: ${type} | undefined`
        return `${commentOf(says, '  ')}  readonly ${written}\n`
      })
      .join('')}}\n`,
}

const python: Language = {
  scalars: { string: 'str', number: 'float', integer: 'int', boolean: 'bool' },
  enumOf: () => 'str',
  listOf: type => `List[${type}]`,
  pairOf: type => `Sequence[${type}]`,
  orNull: type => `Optional[${type}]`,
  write({ name, says, fields }) {
    const write = (title: string, part: readonly Field[], says: string): string =>
      `class ${title}:\n${says === '' ? '' : `    """${says}"""\n\n`}${part
        .map(({ name, type }) => `    ${name}: ${type}\n`)
        .join('')}`
    const required = fields.filter(({ isRequired }) => isRequired)
    const optional = fields.filter(({ isRequired }) => !isRequired)
    if (optional.length === 0) return write(`${name}(TypedDict)`, required, says)
    if (required.length === 0) return write(`${name}(TypedDict, total=False)`, optional, says)
    return `${write(`_${name}Base(TypedDict)`, required, '')}\n\n${write(`${name}(_${name}Base, total=False)`, optional, says)}`
  },
}

/** What clients call the answers that have other names in the OpenAPI document. */
const answerNames: Readonly<Record<string, string>> = { UsageStatistics: 'Usage' }

function writeRecords(language: Language): readonly string[] {
  const written: Readonly<Record<string, z.core.$ZodType>> = {
    Placement: placement,
    Template: template,
    ...Object.fromEntries(
      Object.values<ReadEndpoint>(readEndpoints)
        .filter(({ answer }) => answer.name !== 'TemplateList')
        .map(({ answer }) => [answerNames[answer.name] ?? answer.name, answer.schema]),
    ),
    ShownArtwork: shownArtwork,
  }
  return Object.entries(written).flatMap(([name, schema]) =>
    recordsOf(name, z.toJSONSchema(schema), language).map(record => language.write(record)),
  )
}

const WRITTEN_BY = 'Written by scripts/generate-reference.ts from the schemas of contract/.'
/** The endings of each format's files without the dot, those of files that clients write first. */
const endings = Object.entries(outputFormats).map(
  ([name, { extension, otherExtensions }]) => [name, [extension, ...otherExtensions]] as const,
)
const formatType = `/** The form of the finished pictures. */
export type Format = ${typescript.enumOf(Object.keys(outputFormats))}\n`

/** `client/src/contract-types.ts` */
export const buildTypescriptTypes = (): string =>
  [`// ${WRITTEN_BY}\n`, formatType, ...writeRecords(typescript)].join('\n')

/** `client/src/endings.ts` */
export const buildTypescriptEndings = (): string =>
  `// ${WRITTEN_BY}

/** The file extension that mockups of each format are written with, without the dot. */
export const extensions = {
${endings.map(([name, [first]]) => `  ${name}: '${first}',\n`).join('')}} as const

/** All file extensions of each format. */
export const endings = {
${endings.map(([name, all]) => `  ${name}: [${all.map(ending => `'${ending}'`).join(', ')}],\n`).join('')}} as const\n`

/** `python/src/vitrine_client/_contract_types.py` */
export const buildPythonTypes = (): string =>
  [
    `# ${WRITTEN_BY}\nfrom typing import List, Optional, Sequence, TypedDict\n`,
    `# File extensions of each format, without the dot; files are written with the first.
ENDINGS = {
${endings.map(([name, all]) => `    "${name}": (${all.map(ending => `"${ending}",`).join(' ')}),\n`).join('')}}\n`,
    ...writeRecords(python).map(record => `\n${record}`),
  ].join('\n')

/** `embed/src/placement-fields.ts` */
export function buildElementTypes(): string {
  const [record] = recordsOf('PlacementFields', z.toJSONSchema(placement), typescript)
  if (record === undefined) throw new Error('Expected the record of a placement.')
  const withNull = record.fields.map(field => {
    const hasNull = Reflect.get(placementDefaults, field.name) === null
    return hasNull ? { ...field, type: typescript.orNull(field.type) } : field
  })
  return `// ${WRITTEN_BY}\n\n${typescript.write({ ...record, fields: withNull })}`
}
