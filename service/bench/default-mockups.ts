/**
 * How many mockups a second come through HTTP with nothing but defaults: a template, an artwork, and no other field, so 2,000 px wide.
 *
 *   node service/bench/default-mockups.ts [--seconds 20] [--artwork PICTURE] [--template ID] [--at-least 33]
 *
 * Service and client share this machine. *cold*: every request brings another artwork (the picture with another comment in the file, 3000 x 4500 px and 3.3 MB
 * if none is named), which has to be received, inspected and decoded; *known*: the same one again, still decoded in the render processes. Ends with
 * code 1 where fewer cold ones a second come than asked for, or any request is not answered with 200.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { templateList } from '@vitrine/contract'
import { makeArtwork } from '../../engine/bench/artworks.ts'
import { buildRequest, LoadClient } from './load-client.ts'
import { spawnService } from './spawned-service.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    artwork: { type: 'string' },
    template: { type: 'string' },
    'at-least': { type: 'string', default: '33' },
  },
})
/** Enough that no render process waits for the next request, few enough that none waits long. */
const IN_FLIGHT = 8
const KEYS = 8
const BOUNDARY = 'default-mockups'

const picture = values.artwork === undefined ? await makeArtwork(3000, 4500, 'jpeg') : await readFile(values.artwork)
if (picture[0] !== 0xff || picture[1] !== 0xd8) throw new Error('Expected a JPEG as artwork.')

/** A comment of 8 digits right behind SOI: another file, the same picture. */
function numbered(number: number): Buffer {
  const comment = Buffer.concat([Buffer.of(0xff, 0xfe, 0, 10), Buffer.from(String(number).padStart(8, '0'))])
  return Buffer.concat([picture.subarray(0, 2), comment, picture.subarray(2)])
}

function form(templateId: string, artwork: Uint8Array): Buffer {
  const part = (name: string): string =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${name === 'artwork' ? '; filename="artwork.jpg"\r\nContent-Type: image/jpeg' : ''}\r\n\r\n`
  return Buffer.concat([
    Buffer.from(`${part('template_id')}${templateId}\r\n${part('artwork')}`),
    artwork,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
}

await using service = await spawnService({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_DAY: '100000000' })
const keys: string[] = []
for (let i = 0; i < KEYS; i++) keys.push((await service.customer(100_000)).key)
const listed = await fetch(`${service.url}/api/v1/templates?limit=100`, {
  headers: { authorization: `Bearer ${keys[0]}` },
})
const { templates } = templateList.parse(await listed.json())
const template = values.template === undefined ? templates[0] : templates.find(({ id }) => id === values.template)
if (!template) throw new Error(`Expected one of ${templates.map(({ id }) => id).join(', ')} for --template.`)

const client = new LoadClient(service.url)
const statuses = new Map<number, number>()
let sent = 0

/** Keeps requests under way for so long. @returns mockups a second, and the median time of an answer in milliseconds */
async function load(
  seconds: number,
  artworkOf: (request: number) => Buffer,
): Promise<{ rate: number; medianMs: number }> {
  const startedMs = performance.now()
  const endMs = startedMs + seconds * 1000
  const durations: number[] = []
  const one = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const number = sent++
      const headers = {
        Authorization: `Bearer ${keys[number % KEYS]}`,
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      }
      const body = form(template?.id ?? '', artworkOf(number))
      const { status, durationMs } = await client.send(buildRequest('POST', '/api/v1/mockups/generate', headers, body))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) durations.push(durationMs)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, one))
  const elapsedS = (performance.now() - startedMs) / 1000
  const ordered = durations.toSorted((a, b) => a - b)
  return { rate: durations.length / elapsedS, medianMs: ordered[Math.floor(ordered.length / 2)] ?? Number.NaN }
}

const seconds = Number(values.seconds)
const same = numbered(99_999_999)
await load(Math.min(5, seconds), numbered)
const cold = await load(seconds, numbered)
const known = await load(seconds, () => same)
client.close()
const metrics = await (await fetch(`${service.url}/metrics`)).text()
console.log(`template ${template.id}, artwork of ${(picture.length / 1e6).toFixed(1)} MB, default width`)
console.log(`cold:  ${cold.rate.toFixed(1)} mockups/s, median ${cold.medianMs.toFixed(0)} ms`)
console.log(`known: ${known.rate.toFixed(1)} mockups/s, median ${known.medianMs.toFixed(0)} ms`)
console.log(`statuses ${JSON.stringify(Object.fromEntries(statuses))}`)
console.log(
  metrics
    .split('\n')
    .filter(line => line.startsWith('vitrine_artworks_decoded_total{'))
    .join('\n'),
)
const isAnswered = [...statuses.keys()].every(status => status === 200)
if (!isAnswered || cold.rate < Number(values['at-least'])) process.exitCode = 1
