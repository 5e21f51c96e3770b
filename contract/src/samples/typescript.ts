import { SAMPLE_TIMEOUT_SECONDS, type SampleLanguage, type SampleRead, sampleValues } from './sample-values.ts'

const { templateId, batchTemplateIds, artworkUrl, widthPx, idempotencyKey } = sampleValues

const AUTHORIZATION = 'Authorization: `Bearer ${process.env.VITRINE_API_KEY}`'
const TIMEOUT = `signal: AbortSignal.timeout(${SAMPLE_TIMEOUT_SECONDS}_000)`

const REFUSAL = `if (!answer.ok) {
  const { code, error } = (await answer.json()) as { code: string; error: string }
  throw new Error(\`\${code}: \${error}\`)
}`

function show(shows: SampleRead['shows']): string {
  if ('field' in shows)
    return `const { ${shows.field} } = (await answer.json()) as { ${shows.field}: number }
console.log(${shows.field})`
  const { list, fields } = shows
  return `const { ${list} } = (await answer.json()) as {
  ${list}: { ${fields.map(field => `${field}: string`).join('; ')} }[]
}
for (const { ${fields.join(', ')} } of ${list}) console.log(${fields.join(', ')})`
}

export const typescriptSamples: SampleLanguage = {
  lang: 'typescript',
  label: 'TypeScript',
  upload: url => `import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'

const form = new FormData()
form.set('template_id', '${templateId}')
form.set('width', '${widthPx}')
form.set('artwork', await openAsBlob('artwork.jpg'), 'artwork.jpg')

const answer = await fetch('${url}', {
  method: 'POST',
  headers: { ${AUTHORIZATION}, 'Idempotency-Key': '${idempotencyKey}' },
  body: form,
  ${TIMEOUT},
})
${REFUSAL}
await writeFile('mockup.jpg', Buffer.from(await answer.arrayBuffer()))`,
  batch: url => `import { writeFile } from 'node:fs/promises'

const answer = await fetch('${url}', {
  method: 'POST',
  headers: { ${AUTHORIZATION}, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    template_ids: [${batchTemplateIds.map(id => `'${id}'`).join(', ')}],
    artwork_url: '${artworkUrl}',
    width: ${widthPx},
    response_format: 'json',
  }),
  ${TIMEOUT},
})
${REFUSAL}
const { results } = (await answer.json()) as { results: { template_id: string; image: string }[] }
for (const { template_id, image } of results) await writeFile(\`\${template_id}.jpg\`, Buffer.from(image, 'base64'))`,
  read: (url, shows) => `const answer = await fetch('${url}', {
  headers: { ${AUTHORIZATION} },
  ${TIMEOUT},
})
${REFUSAL}
${show(shows)}`,
}
