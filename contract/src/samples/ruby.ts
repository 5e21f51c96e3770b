import { SAMPLE_TIMEOUT_SECONDS, type SampleLanguage, type SampleRead, sampleValues } from './sample-values.ts'

const { templateId, batchTemplateIds, artworkUrl, widthPx, idempotencyKey } = sampleValues

const AUTHORIZATION = `request['Authorization'] = "Bearer #{ENV.fetch('VITRINE_API_KEY')}"`

const request = (url: string, method: 'Get' | 'Post', lines: readonly string[]): string => `require 'json'
require 'net/http'

uri = URI('${url}')
request = Net::HTTP::${method}.new(uri)
${[AUTHORIZATION, ...lines].join('\n')}
options = { use_ssl: uri.scheme == 'https', read_timeout: ${SAMPLE_TIMEOUT_SECONDS} }
answer = Net::HTTP.start(uri.hostname, uri.port, **options) { |http| http.request(request) }
unless answer.is_a?(Net::HTTPSuccess)
  problem = JSON.parse(answer.body)
  abort "#{problem['code']}: #{problem['error']}"
end`

function show(shows: SampleRead['shows']): string {
  if ('field' in shows) return `puts JSON.parse(answer.body)['${shows.field}']`
  const { list, fields } = shows
  return `JSON.parse(answer.body)['${list}'].each do |entry|
  puts "${fields.map(field => `#{entry['${field}']}`).join(' ')}"
end`
}

export const rubySamples: SampleLanguage = {
  lang: 'ruby',
  label: 'Ruby',
  upload: url => `${request(url, 'Post', [
    `request['Idempotency-Key'] = '${idempotencyKey}'`,
    `fields = [['template_id', '${templateId}'], ['width', '${widthPx}'], ['artwork', File.open('artwork.jpg', 'rb')]]`,
    `request.set_form(fields, 'multipart/form-data')`,
  ])}
File.binwrite('mockup.jpg', answer.body)`,
  batch: url => `${request(url, 'Post', [
    `request['Content-Type'] = 'application/json'`,
    `request.body = JSON.generate(
  template_ids: [${batchTemplateIds.map(id => `'${id}'`).join(', ')}],
  artwork_url: '${artworkUrl}',
  width: ${widthPx},
  response_format: 'json'
)`,
  ])}
JSON.parse(answer.body)['results'].each do |result|
  File.binwrite("#{result['template_id']}.jpg", result['image'].unpack1('m'))
end`,
  read: (url, shows) => `${request(url, 'Get', [])}
${show(shows)}`,
}
