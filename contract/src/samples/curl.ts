import { type SampleLanguage, sampleValues } from './sample-values.ts'

const { templateId, batchTemplateIds, artworkUrl, widthPx, idempotencyKey } = sampleValues

const AUTHORIZATION = `  -H "Authorization: Bearer $VITRINE_API_KEY" \\`

const batchBody = JSON.stringify(
  { template_ids: batchTemplateIds, artwork_url: artworkUrl, width: widthPx, response_format: 'json' },
  null,
  2,
)

export const curlSamples: SampleLanguage = {
  lang: 'sh',
  label: 'curl',
  upload: url => `curl --fail-with-body ${url} \\
${AUTHORIZATION}
  -H "Idempotency-Key: ${idempotencyKey}" \\
  -F template_id=${templateId} \\
  -F width=${widthPx} \\
  -F artwork=@artwork.jpg \\
  -o mockup.jpg`,
  batch: url => `curl --fail-with-body ${url} \\
${AUTHORIZATION}
  -H "Content-Type: application/json" \\
  -d '${batchBody}' \\
  -o mockups.json`,
  read: url => `curl --fail-with-body "${url}" \\
  -H "Authorization: Bearer $VITRINE_API_KEY"`,
}
