/** Commands and programs that are ready to run, with this installation's base address. */
import { outputFormats } from '@vitrine/contract'
import { hasColors, type ProductColors } from './coloring/product-colors.ts'
import { curlFile } from './shell-words.ts'
import type { MockupOutput } from './visit/mockups.ts'
import type { PlacementParameters } from './visit/placing.ts'

type SnippetInput = {
  baseUrl: string
  key?: string
  templateId?: string
  placement?: PlacementParameters
  colors?: ProductColors
  output?: MockupOutput
  /** One for every frame, or one per frame. */
  artworkNames?: readonly string[]
}

const keyOr = (key: string | undefined): string => key ?? '$VITRINE_API_KEY'

type NamedValue = readonly [name: string, value: string]

/** Parameters with string values. */
function textsOf({ templateId = 'oak-frame-portrait', output }: SnippetInput): readonly NamedValue[] {
  if (output === undefined) return [['template_id', templateId]]
  return [
    ['template_id', templateId],
    ['width', String(output.widthPx)],
    ['format', output.format],
  ]
}

/** Parameters with object values, as JSON; without null, it is valid TypeScript and Python too. */
function objectsOf({ placement = {}, colors = {} }: SnippetInput): readonly NamedValue[] {
  const parameters = { ...placement, ...(hasColors(colors) ? { colors } : {}) }
  return Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)] as const)
}

/** The file fields with their file names. */
function filesOf({ artworkNames = [] }: SnippetInput): readonly NamedValue[] {
  const [first = 'artwork.jpg'] = artworkNames
  if (artworkNames.every(name => name === first)) return [['artwork', first]]
  return artworkNames.map((name, frame) => [`artwork_${frame}`, name] as const)
}

const mockupName = ({ output }: SnippetInput): string =>
  `mockup.${output === undefined ? 'jpg' : outputFormats[output.format].extension}`

export function curlSnippet(input: SnippetInput): string {
  return [
    `curl --fail-with-body ${input.baseUrl}/mockups/generate \\`,
    `  -H "Authorization: Bearer ${keyOr(input.key)}" \\`,
    ...textsOf(input).map(([name, value]) => `  -F ${name}=${value} \\`),
    ...objectsOf(input).map(([name, json]) => `  -F '${name}=${json}' \\`),
    ...filesOf(input).map(([field, name]) => `  -F ${curlFile(field, name)} \\`),
    `  -o ${mockupName(input)}`,
  ].join('\n')
}

export function typescriptSnippet(input: SnippetInput): string {
  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
  const fields = [
    ...textsOf(input).map(([name, value]) => `form.set('${name}', ${quoted(value)})\n`),
    ...objectsOf(input).map(([name, json]) => `form.set('${name}', JSON.stringify(${json}))\n`),
    ...filesOf(input).map(
      ([field, name]) => `form.set('${field}', await openAsBlob(${quoted(name)}), ${quoted(name)})\n`,
    ),
  ]
  return `import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'

const form = new FormData()
${fields.join('')}const response = await fetch('${input.baseUrl}/mockups/generate', {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.VITRINE_API_KEY}\` },
  body: form,
})
if (!response.ok) throw new Error(await response.text())
await writeFile('${mockupName(input)}', new Uint8Array(await response.arrayBuffer()))`
}

export function pythonSnippet(input: SnippetInput): string {
  const objects = objectsOf(input)
  const fields = [
    ...textsOf(input).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`),
    ...objects.map(([name, json]) => `"${name}": json.dumps(${json})`),
  ]
  const files = filesOf(input).map(([field, name]) => `"${field}": open(${JSON.stringify(name)}, "rb")`)
  return `${objects.length > 0 ? 'import json\n' : ''}import os
import requests

response = requests.post(
    "${input.baseUrl}/mockups/generate",
    headers={"Authorization": f"Bearer {os.environ['VITRINE_API_KEY']}"},
    data={${fields.join(', ')}},
    files={${files.join(', ')}},
    timeout=30,
)
if not response.ok:
    raise SystemExit(response.text)
with open("${mockupName(input)}", "wb") as mockup:
    mockup.write(response.content)`
}

/** A preview in a product page. `origin`: the service's. */
export function elementSnippet({
  origin,
  key,
  templateId = 'oak-frame-portrait',
}: {
  origin: string
  key: string
  templateId?: string | undefined
}): string {
  return `<script type="module" src="${origin}/embed/v1/vitrine-mockup.js"></script>
<vitrine-mockup publishable-key="${key}" template="${templateId}" name="mockup" editable
  alt="Your picture in place"></vitrine-mockup>`
}
