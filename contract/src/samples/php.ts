import { SAMPLE_TIMEOUT_SECONDS, type SampleLanguage, type SampleRead, sampleValues } from './sample-values.ts'

const { templateId, batchTemplateIds, artworkUrl, widthPx, idempotencyKey } = sampleValues

const AUTHORIZATION = `'Authorization: Bearer ' . getenv('VITRINE_API_KEY')`

const request = (url: string, options: readonly string[]): string => `<?php
$curl = curl_init('${url}');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => ${SAMPLE_TIMEOUT_SECONDS},
${options.map(option => `    ${option},`).join('\n')}
]);
$body = curl_exec($curl);
if ($body === false) {
    fwrite(STDERR, curl_error($curl) . "\\n");
    exit(1);
}
if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
    $problem = json_decode($body);
    fwrite(STDERR, "$problem->code: $problem->error\\n");
    exit(1);
}`

function show(shows: SampleRead['shows']): string {
  if ('field' in shows) return `echo json_decode($body)->${shows.field}, "\\n";`
  const { list, fields } = shows
  return `foreach (json_decode($body)->${list} as $entry) {
    echo ${fields.map(field => `$entry->${field}`).join(", ' ', ")}, "\\n";
}`
}

export const phpSamples: SampleLanguage = {
  lang: 'php',
  label: 'PHP',
  upload: url => `${request(url, [
    `CURLOPT_HTTPHEADER => [${AUTHORIZATION}, 'Idempotency-Key: ${idempotencyKey}']`,
    `CURLOPT_POSTFIELDS => [
        'template_id' => '${templateId}',
        'width' => ${widthPx},
        'artwork' => new CURLFile('artwork.jpg'),
    ]`,
  ])}
file_put_contents('mockup.jpg', $body);`,
  batch: url => `${request(url, [
    `CURLOPT_HTTPHEADER => [${AUTHORIZATION}, 'Content-Type: application/json']`,
    `CURLOPT_POSTFIELDS => json_encode([
        'template_ids' => [${batchTemplateIds.map(id => `'${id}'`).join(', ')}],
        'artwork_url' => '${artworkUrl}',
        'width' => ${widthPx},
        'response_format' => 'json',
    ])`,
  ])}
foreach (json_decode($body)->results as $result) {
    file_put_contents("$result->template_id.jpg", base64_decode($result->image));
}`,
  read: (url, shows) => `${request(url, [`CURLOPT_HTTPHEADER => [${AUTHORIZATION}]`])}
${show(shows)}`,
}
