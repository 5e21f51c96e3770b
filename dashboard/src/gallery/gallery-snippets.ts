/** Programs that render exactly the picked mockups. */
import { hasColors } from '../coloring/product-colors.ts'
import { curlFile, shellWord } from '../shell-words.ts'
import { artworkNameOf } from '../visit/mockups.ts'
import type { RenderTask } from '../visit/render-tasks.ts'

/** A mockup that has not been requested yet. */
export type PlannedMockup = Omit<RenderTask, 'key' | 'run'>

/** The form fields of a request, without the artwork. */
function fieldsOf({ template, work }: PlannedMockup): Record<string, string> {
  const { output, placement = {}, colors = {} } = work
  return {
    template_id: template.id,
    format: output.format,
    width: String(output.widthPx),
    quality: String(output.quality),
    ...Object.fromEntries(Object.entries(placement).map(([name, value]) => [name, JSON.stringify(value)])),
    ...(hasColors(colors) ? { colors: JSON.stringify(colors) } : {}),
  }
}

export function galleryCurl(baseUrl: string, tasks: readonly PlannedMockup[]): string {
  return tasks
    .map(task =>
      [
        `curl --fail-with-body ${baseUrl}/mockups/generate \\`,
        '  -H "Authorization: Bearer $VITRINE_API_KEY" \\',
        ...Object.entries(fieldsOf(task)).map(([name, value]) => `  -F ${shellWord(`${name}=${value}`)} \\`),
        `  -F ${curlFile('artwork', artworkNameOf(task.work))} \\`,
        `  -o ${shellWord(task.name)}`,
      ].join('\n'),
    )
    .join('\n')
}

export function galleryTypescript(baseUrl: string, tasks: readonly PlannedMockup[]): string {
  const jobs = tasks.map(task => ({ artwork: artworkNameOf(task.work), file: task.name, fields: fieldsOf(task) }))
  return `import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'

const jobs = ${JSON.stringify(jobs, null, 2)}

for (const { artwork, file, fields } of jobs) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('artwork', await openAsBlob(artwork), artwork)
  const response = await fetch('${baseUrl}/mockups/generate', {
    method: 'POST',
    headers: { Authorization: \`Bearer \${process.env.VITRINE_API_KEY}\` },
    body: form,
  })
  if (!response.ok) throw new Error(\`\${file}: \${await response.text()}\`)
  await writeFile(file, new Uint8Array(await response.arrayBuffer()))
}
`
}
