/** Commands and programs that run as they are, with the reader's own base address. */
import { hasColors, type ProductColors } from './coloring/product-colors.ts'
import type { PlacementParameters } from './placing/placing.ts'

type SnippetInput = {
  baseUrl: string
  key?: string
  templateId?: string
  placement?: PlacementParameters
  colors?: ProductColors
}

const keyOr = (key: string | undefined): string => key ?? '$VITRINE_API_KEY'

/** Parameters that are objects, with their values as JSON: without null, it is TypeScript and Python too. */
function parametersOf({
  placement = {},
  colors = {},
}: SnippetInput): readonly (readonly [name: string, json: string])[] {
  const parameters = { ...placement, ...(hasColors(colors) ? { colors } : {}) }
  return Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)] as const)
}

export function curlSnippet(input: SnippetInput): string {
  const { baseUrl, key, templateId = 'oak-frame-portrait' } = input
  return [
    `curl ${baseUrl}/mockups/generate \\`,
    `  -H "Authorization: Bearer ${keyOr(key)}" \\`,
    `  -F template_id=${templateId} \\`,
    ...parametersOf(input).map(([name, json]) => `  -F '${name}=${json}' \\`),
    '  -F artwork=@artwork.jpg \\',
    '  -o mockup.jpg',
  ].join('\n')
}

export function typescriptSnippet(input: SnippetInput): string {
  const { baseUrl, templateId = 'oak-frame-portrait' } = input
  const fields = parametersOf(input).map(([name, json]) => `form.set('${name}', JSON.stringify(${json}))\n`)
  return `import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'

const form = new FormData()
form.set('template_id', '${templateId}')
${fields.join('')}form.set('artwork', await openAsBlob('artwork.jpg'), 'artwork.jpg')
const response = await fetch('${baseUrl}/mockups/generate', {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.VITRINE_API_KEY}\` },
  body: form,
})
if (!response.ok) throw new Error(await response.text())
await writeFile('mockup.jpg', await response.bytes())`
}

export function pythonSnippet(input: SnippetInput): string {
  const { baseUrl, templateId = 'oak-frame-portrait' } = input
  const fields = parametersOf(input).map(([name, json]) => `, "${name}": json.dumps(${json})`)
  return `${fields.length > 0 ? 'import json\n' : ''}import os
import requests

with open("artwork.jpg", "rb") as artwork:
    response = requests.post(
        "${baseUrl}/mockups/generate",
        headers={"Authorization": f"Bearer {os.environ['VITRINE_API_KEY']}"},
        data={"template_id": "${templateId}"${fields.join('')}},
        files={"artwork": artwork},
        timeout=30,
    )
response.raise_for_status()
with open("mockup.jpg", "wb") as mockup:
    mockup.write(response.content)`
}

/** A preview in a product page. `origin`: of the service. */
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
