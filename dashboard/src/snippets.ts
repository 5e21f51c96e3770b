/** Commands and programs that run as they are, with the reader's own base address. */

type SnippetInput = { baseUrl: string; key?: string; templateId?: string }

const keyOr = (key: string | undefined): string => key ?? '$VITRINE_API_KEY'

export function curlSnippet({ baseUrl, key, templateId = 'oak-frame-portrait' }: SnippetInput): string {
  return [
    `curl ${baseUrl}/mockups/generate \\`,
    `  -H "Authorization: Bearer ${keyOr(key)}" \\`,
    `  -F template_id=${templateId} \\`,
    '  -F artwork=@artwork.jpg \\',
    '  -o mockup.jpg',
  ].join('\n')
}

export function typescriptSnippet({ baseUrl, templateId = 'oak-frame-portrait' }: SnippetInput): string {
  return `import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'

const form = new FormData()
form.set('template_id', '${templateId}')
form.set('artwork', await openAsBlob('artwork.jpg'), 'artwork.jpg')
const response = await fetch('${baseUrl}/mockups/generate', {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.VITRINE_API_KEY}\` },
  body: form,
})
if (!response.ok) throw new Error(await response.text())
await writeFile('mockup.jpg', await response.bytes())`
}

export function pythonSnippet({ baseUrl, templateId = 'oak-frame-portrait' }: SnippetInput): string {
  return `import os
import requests

with open("artwork.jpg", "rb") as artwork:
    response = requests.post(
        "${baseUrl}/mockups/generate",
        headers={"Authorization": f"Bearer {os.environ['VITRINE_API_KEY']}"},
        data={"template_id": "${templateId}"},
        files={"artwork": artwork},
        timeout=30,
    )
response.raise_for_status()
with open("mockup.jpg", "wb") as mockup:
    mockup.write(response.content)`
}
