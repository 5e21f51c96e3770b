/**
 * Mockups per second over HTTP with default parameters: a template, an artwork and no other field, so 2,000
 * px wide.
 *
 *   node service/bench/default-mockups.ts [--seconds 20] [--artwork PICTURE] [--template ID] [--at-least 33]
 *   node service/bench/default-mockups.ts --design [--seconds 20] [--at-least-times 2]
 *
 * By default the template is the one that `npm run bench` calls the default (q25, four corners, multiplied)
 * and the artwork a JPEG of 3000 x 4500 px and 3.3 MB; with `--design` a T-shirt design, a PNG of 4500 x 5400
 * px with alpha. Service and client share this machine. *cold*: every request sends another artwork (the same
 * picture with another comment in the file), which is received, inspected and decoded. *known*: the same one
 * each time, already decoded in the render processes. *libvips*, of PNGs alone, in turn with *cold*: the same
 * file with so many empty blocks before its data that our decoder leaves it to libvips. Processor time is
 * printed for the service's process, the render processes and this client. Ends with code 1 where fewer cold
 * mockups a second come than asked for (of PNGs: than so many times those of libvips), or any answer is not
 * 200.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { templateList } from '@vitrine/contract'
import { makeArtwork } from '../../engine/bench/artworks.ts'
import { designs } from '../../engine/bench/designs.ts'
import { buildChunk } from '../../engine/src/artwork/png-chunks.ts'
import { importDefaultTemplate } from './default-template.ts'
import { LoadClient } from './load-client.ts'
import { isPng, NumberedRequest } from './numbered-request.ts'
import { readProcessTimes } from './process-times.ts'
import { spawnService } from './spawned-service.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    artwork: { type: 'string' },
    template: { type: 'string' },
    design: { type: 'boolean', default: false },
    'at-least': { type: 'string', default: '33' },
    'at-least-times': { type: 'string', default: '2' },
  },
})
/** Enough that no render process idles, few enough that no request waits long. */
const IN_FLIGHT = 8
const KEYS = 8
/** More than our decoder takes of a PNG of 4500 x 5400 px with alpha. */
const MOST_BLOCKS = 60_000
async function makePicture(): Promise<Buffer> {
  if (values.artwork !== undefined) return readFile(values.artwork)
  const made = values.design
    ? await designs['design PNG, 4500 x 5400 with alpha']()
    : await makeArtwork(3000, 4500, 'jpeg')
  return Buffer.from(made)
}

const picture = await makePicture()
if (!isPng(picture) && picture.readUInt16BE() !== 0xffd8) throw new Error('Expected a JPEG or a PNG as artwork.')
await using service = await spawnService({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_DAY: '100000000' })
const keys: string[] = []
for (let i = 0; i < KEYS; i++) keys.push((await service.customer(100_000)).key)
const templateId = values.template ?? (await importDefaultTemplate(service))
const listed = await fetch(`${service.url}/api/v1/templates?limit=100`, {
  headers: { authorization: `Bearer ${keys[0]}` },
})
const { templates } = templateList.parse(await listed.json())
if (!templates.some(({ id }) => id === templateId))
  throw new Error(`Expected one of ${templates.map(({ id }) => id).join(', ')} for --template.`)

/** With as many empty blocks before the data as a picture of the largest size may have. */
function withEmptyBlocks(png: Buffer): Buffer {
  const at = png.indexOf('IDAT', 'latin1') - 4
  const end = at + 12 + png.readUInt32BE(at)
  const empty = Buffer.from([0, 0, 0, 0xff, 0xff])
  const blocks = Array<Buffer>(MOST_BLOCKS).fill(empty)
  const [header, data] = [png.subarray(at + 8, at + 10), png.subarray(at + 10, end - 4)]
  const chunk = buildChunk('IDAT', Buffer.concat([header, ...blocks, data]))
  return Buffer.concat([png.subarray(0, at), chunk, png.subarray(end)])
}

const buildRequests = (artwork: Buffer): readonly NumberedRequest[] =>
  Array.from({ length: IN_FLIGHT }, (_, index) => {
    const fields = { template_id: templateId }
    return new NumberedRequest({ key: keys[index % KEYS] ?? '', picture: artwork, fields })
  })

const client = new LoadClient(service.url)
const sound = buildRequests(picture)
const statuses = new Map<number, number>()
let sent = 0

/** What came of a load: milliseconds of each mockup, and what all together took. */
type Load = { durationsMs: number[]; elapsedS: number; ownMs: number; childrenMs: number; callerMs: number }

/** Keeps requests under way for a time, and adds what came of them. */
async function load(
  to: Load,
  seconds: number,
  requests: readonly NumberedRequest[],
  numberOf: (request: number) => number,
): Promise<void> {
  const before = readProcessTimes(service.process.pid ?? 0)
  const startedMs = performance.now()
  const endMs = startedMs + seconds * 1000
  const keepSending = async (request: NumberedRequest): Promise<void> => {
    while (performance.now() < endMs) {
      request.setNumber(numberOf(sent++))
      const { status, durationMs } = await client.send(request.bytes)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) to.durationsMs.push(durationMs)
    }
  }
  await Promise.all(requests.map(keepSending))
  const after = readProcessTimes(service.process.pid ?? 0)
  to.elapsedS += (performance.now() - startedMs) / 1000
  to.ownMs += after.ownMs - before.ownMs
  to.childrenMs += after.childrenMs - before.childrenMs
  to.callerMs += after.callerMs - before.callerMs
}

const newLoad = (): Load => ({ durationsMs: [], elapsedS: 0, ownMs: 0, childrenMs: 0, callerMs: 0 })

const rateOf = ({ durationsMs, elapsedS }: Load): number => durationsMs.length / elapsedS
const renderMs = ({ durationsMs, childrenMs }: Load): number => childrenMs / durationsMs.length

function describeLoad(done: Load): string {
  const ordered = done.durationsMs.toSorted((a, b) => a - b)
  const each = (ms: number): string => (ms / ordered.length).toFixed(1)
  const medianMs = (ordered[Math.floor(ordered.length / 2)] ?? Number.NaN).toFixed(0)
  const costs = `CPU ms a mockup: service ${each(done.ownMs)}, render processes ${each(done.childrenMs)}, client ${each(done.callerMs)}`
  return `${rateOf(done).toFixed(1)} mockups/s, median ${medianMs} ms; ${costs}`
}

const seconds = Number(values.seconds)
const KNOWN = 99_999_999
/** Of a PNG: its cold mockups and those by libvips take turns, so that a busy moment concerns both. */
const TURNS = 4
const another = (request: number): number => request
const cold = newLoad()
const known = newLoad()
const general = newLoad()
await load(newLoad(), Math.min(5, seconds), sound, another)
if (isPng(picture)) {
  const byLibvips = buildRequests(withEmptyBlocks(picture))
  for (let turn = 0; turn < TURNS; turn++) {
    await load(cold, seconds / TURNS, sound, another)
    await load(general, seconds / TURNS, byLibvips, another)
  }
} else await load(cold, seconds, sound, another)
await load(known, seconds, sound, () => KNOWN)
client.close()
const metrics = await (await fetch(`${service.url}/metrics`)).text()
console.log(`template ${templateId}, artwork of ${(picture.length / 1e6).toFixed(1)} MB, default width`)
console.log(`cold:    ${describeLoad(cold)}`)
if (isPng(picture)) {
  const times = `${(rateOf(cold) / rateOf(general)).toFixed(2)} times as many cold ones`
  const cpu = `for ${(renderMs(cold) / renderMs(general)).toFixed(2)} of the render processes' CPU`
  console.log(`libvips: ${describeLoad(general)}; ${times}, ${cpu}`)
}
console.log(`known:   ${describeLoad(known)}`)
console.log(`statuses ${JSON.stringify(Object.fromEntries(statuses))}`)
console.log(
  metrics
    .split('\n')
    .filter(line => line.startsWith('vitrine_artworks_decoded_total{'))
    .join('\n'),
)
const isAnswered = [...statuses.keys()].every(status => status === 200)
const least = isPng(picture) ? Number(values['at-least-times']) * rateOf(general) : Number(values['at-least'])
if (!isAnswered || rateOf(cold) < least) process.exitCode = 1
