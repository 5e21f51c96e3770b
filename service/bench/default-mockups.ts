/**
 * Mockups per second over HTTP with default parameters: a template, an artwork and no other field, so 2,000
 * px wide.
 *
 *   node service/bench/default-mockups.ts [--seconds 20] [--artwork PICTURE] [--template ID] [--at-least 33]
 *
 * By default the template is the one that `npm run bench` calls the default (q25, four corners, multiplied)
 * and the artwork a JPEG of 3000 x 4500 px and 3.3 MB. Service and client share this machine. *cold*: every
 * request sends another artwork (the same picture with another comment in the file), which is received,
 * inspected and decoded. *known*: the same one each time, already decoded in the render processes. Processor
 * time is printed for the service's process, the render processes and this client. Ends with code 1 where
 * fewer cold mockups a second come than asked for, or any answer is not 200.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { templateList } from '@vitrine/contract'
import { createSharpCodec } from '@vitrine/engine/node'
import { makeArtwork } from '../../engine/bench/artworks.ts'
import { placeFrames, prepareScene, type SceneKind } from '../../engine/bench/scenes.ts'
import { buildRequest, LoadClient } from './load-client.ts'
import { readProcessTimes } from './process-times.ts'
import { type SpawnedService, spawnService } from './spawned-service.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    artwork: { type: 'string' },
    template: { type: 'string' },
    'at-least': { type: 'string', default: '33' },
  },
})
/** Enough that no render process idles, few enough that no request waits long. */
const IN_FLIGHT = 8
const KEYS = 8
const BOUNDARY = 'default-mockups'
const defaultScene: SceneKind = { widthPx: 2000, share: 0.25, frames: 1, placement: 'corners' }

/** The bench's default template as a bundle, imported as an operator would. @returns its id */
async function importDefault(service: SpawnedService): Promise<string> {
  const codec = createSharpCodec()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-default-'))
  try {
    const { empty } = await prepareScene(defaultScene, codec)
    await writeFile(path.join(folder, 'scene.png'), await codec.encode(empty, { format: 'png' }))
    const template = {
      format: 1,
      id: 'bench-default',
      name: 'Default of the bench',
      category: 'Wall Art',
      type: 'print',
      render_mode: 'corners',
      blending_mode: 'multiply',
      scene: 'scene.png',
      frames: placeFrames(defaultScene).map(corners => ({ aspect_ratio: 2 / 3, corners })),
    }
    await writeFile(path.join(folder, 'template.json'), JSON.stringify(template))
    return String((await service.command('template', 'import', folder))['template_id'])
  } finally {
    await rm(folder, { recursive: true })
  }
}

const picture = values.artwork === undefined ? await makeArtwork(3000, 4500, 'jpeg') : await readFile(values.artwork)
if (picture[0] !== 0xff || picture[1] !== 0xd8) throw new Error('Expected a JPEG as artwork.')
await using service = await spawnService({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_DAY: '100000000' })
const keys: string[] = []
for (let i = 0; i < KEYS; i++) keys.push((await service.customer(100_000)).key)
const templateId = values.template ?? (await importDefault(service))
const listed = await fetch(`${service.url}/api/v1/templates?limit=100`, {
  headers: { authorization: `Bearer ${keys[0]}` },
})
const { templates } = templateList.parse(await listed.json())
if (!templates.some(({ id }) => id === templateId))
  throw new Error(`Expected one of ${templates.map(({ id }) => id).join(', ')} for --template.`)

/** A comment of 8 digits after SOI: another number makes another file of the same picture. */
const DIGITS = 8

/** A request that is sent repeatedly with another number in the artwork: making it costs nothing. */
class NumberedRequest {
  readonly bytes: Buffer
  readonly #digitsAt: number

  constructor(key: string) {
    const name = (field: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"`
    const before = Buffer.concat([
      Buffer.from(`${name('template_id')}\r\n\r\n${templateId}\r\n`),
      Buffer.from(`${name('artwork')}; filename="artwork.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`),
      picture.subarray(0, 2),
      Buffer.of(0xff, 0xfe, 0, DIGITS + 2),
    ])
    const after = Buffer.concat([picture.subarray(2), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
    const body = Buffer.concat([before, Buffer.alloc(DIGITS), after])
    this.bytes = buildRequest('POST', '/api/v1/mockups/generate', headers, body)
    this.#digitsAt = this.bytes.length - after.length - DIGITS
  }

  setNumber(number: number): void {
    this.bytes.write(String(number).padStart(DIGITS, '0'), this.#digitsAt, 'latin1')
  }
}

const client = new LoadClient(service.url)
const requests = Array.from({ length: IN_FLIGHT }, (_, index) => new NumberedRequest(keys[index % KEYS] ?? ''))
const statuses = new Map<number, number>()
let sent = 0

/** Keeps requests under way for a time. Returns mockups per second and what each cost. */
async function load(seconds: number, numberOf: (request: number) => number): Promise<{ rate: number; text: string }> {
  const before = await readProcessTimes(service.process.pid ?? 0)
  const startedMs = performance.now()
  const endMs = startedMs + seconds * 1000
  const durations: number[] = []
  const keepSending = async (request: NumberedRequest): Promise<void> => {
    while (performance.now() < endMs) {
      request.setNumber(numberOf(sent++))
      const { status, durationMs } = await client.send(request.bytes)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) durations.push(durationMs)
    }
  }
  await Promise.all(requests.map(keepSending))
  const elapsedS = (performance.now() - startedMs) / 1000
  const after = await readProcessTimes(service.process.pid ?? 0)
  const ordered = durations.toSorted((a, b) => a - b)
  const each = (name: keyof typeof after): string => ((after[name] - before[name]) / ordered.length).toFixed(1)
  const rate = ordered.length / elapsedS
  const medianMs = (ordered[Math.floor(ordered.length / 2)] ?? Number.NaN).toFixed(0)
  const costs = `CPU ms a mockup: service ${each('ownMs')}, render processes ${each('childrenMs')}, client ${each('callerMs')}`
  return { rate, text: `${rate.toFixed(1)} mockups/s, median ${medianMs} ms; ${costs}` }
}

const seconds = Number(values.seconds)
const KNOWN = 99_999_999
await load(Math.min(5, seconds), number => number)
const cold = await load(seconds, number => number)
const known = await load(seconds, () => KNOWN)
client.close()
const metrics = await (await fetch(`${service.url}/metrics`)).text()
console.log(`template ${templateId}, artwork of ${(picture.length / 1e6).toFixed(1)} MB, default width`)
console.log(`cold:  ${cold.text}`)
console.log(`known: ${known.text}`)
console.log(`statuses ${JSON.stringify(Object.fromEntries(statuses))}`)
console.log(
  metrics
    .split('\n')
    .filter(line => line.startsWith('vitrine_artworks_decoded_total{'))
    .join('\n'),
)
const isAnswered = [...statuses.keys()].every(status => status === 200)
if (!isAnswered || cold.rate < Number(values['at-least'])) process.exitCode = 1
