import { SAMPLE_TIMEOUT_SECONDS, type SampleLanguage, type SampleRead, sampleValues } from './sample-values.ts'

const { templateId, batchTemplateIds, artworkUrl, widthPx, idempotencyKey } = sampleValues

const AUTHORIZATION = `"Authorization": f"Bearer {os.environ['VITRINE_API_KEY']}"`

const REFUSAL = `if not answer.ok:
    problem = answer.json()
    sys.exit(f"{problem['code']}: {problem['error']}")`

function show(shows: SampleRead['shows']): string {
  if ('field' in shows) return `print(answer.json()["${shows.field}"])`
  const { list, fields } = shows
  return `for entry in answer.json()["${list}"]:
    print(${fields.map(field => `entry["${field}"]`).join(', ')})`
}

export const pythonSamples: SampleLanguage = {
  lang: 'python',
  label: 'Python',
  upload: url => `import os
import sys
import requests

with open("artwork.jpg", "rb") as artwork:
    answer = requests.post(
        "${url}",
        headers={
            ${AUTHORIZATION},
            "Idempotency-Key": "${idempotencyKey}",
        },
        data={"template_id": "${templateId}", "width": ${widthPx}},
        files={"artwork": artwork},
        timeout=${SAMPLE_TIMEOUT_SECONDS},
    )
${REFUSAL}
with open("mockup.jpg", "wb") as mockup:
    mockup.write(answer.content)`,
  batch: url => `import base64
import os
import sys
import requests

answer = requests.post(
    "${url}",
    headers={${AUTHORIZATION}},
    json={
        "template_ids": [${batchTemplateIds.map(id => `"${id}"`).join(', ')}],
        "artwork_url": "${artworkUrl}",
        "width": ${widthPx},
        "response_format": "json",
    },
    timeout=${SAMPLE_TIMEOUT_SECONDS},
)
${REFUSAL}
for result in answer.json()["results"]:
    with open(result["template_id"] + ".jpg", "wb") as mockup:
        mockup.write(base64.b64decode(result["image"]))`,
  read: (url, shows) => `import os
import sys
import requests

answer = requests.get(
    "${url}",
    headers={${AUTHORIZATION}},
    timeout=${SAMPLE_TIMEOUT_SECONDS},
)
${REFUSAL}
${show(shows)}`,
}
