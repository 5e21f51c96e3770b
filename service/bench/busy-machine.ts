/**
 * What becomes of mockups at 4,000 px while other programs want every processor.
 *
 *   node service/bench/busy-machine.ts [busy processes, default 20] [mockups, default 12] [at once,
 * default 1]
 *
 * The same mockups alone and beside the busy processes, which have the client's priority and session. The
 * first has a template that is not prepared yet. Ends with code 1 where an answer is no 200.
 */
import { spawn } from 'node:child_process'
import { readSampleArtwork, spawnService } from './spawned-service.ts'

const [busyCount = 20, mockupCount = 12, atOnce = 1] = process.argv.slice(2).map(Number)
const WIDTH_PX = '4000'

await using service = await spawnService()
const { key } = await service.customer(1_000_000)
const artwork = new Blob([await readSampleArtwork()])
const templateIds = ['oak-frame-portrait', 'white-tee-flat-lay']

type Answer = { readonly outcome: string; readonly tookMs: number }

async function makeOne(index: number): Promise<Answer> {
  const form = new FormData()
  form.set('template_id', templateIds[index % templateIds.length] ?? '')
  form.set('width', WIDTH_PX)
  form.set('artwork', artwork, 'artwork.jpg')
  const startedMs = performance.now()
  const answer = await fetch(`${service.url}/api/v1/mockups/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  const body = Buffer.from(await answer.arrayBuffer())
  const code = answer.ok ? '' : ` ${String(JSON.parse(body.toString()).code)}`
  return { outcome: `${answer.status}${code}`, tookMs: performance.now() - startedMs }
}

async function makeAll(): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  const client = async () => {
    while (next < mockupCount) answers.push(await makeOne(next++))
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  return answers
}

function summarize(answers: readonly Answer[]): Record<string, string> {
  const tookMs = answers.map(answer => answer.tookMs).sort((a, b) => a - b)
  const counts = Object.entries(Object.groupBy(answers, ({ outcome }) => outcome))
  return {
    answers: counts.map(([outcome, all = []]) => `${all.length} of ${outcome}`).join(', '),
    'median ms': (tookMs[Math.floor(tookMs.length / 2)] ?? Number.NaN).toFixed(0),
    'slowest ms': (tookMs.at(-1) ?? Number.NaN).toFixed(0),
  }
}

const busy = Array.from({ length: busyCount }, () =>
  spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }),
)
let beside: Answer[] = []
try {
  beside = await makeAll()
} finally {
  for (const each of busy) each.kill('SIGKILL')
}
const alone = await makeAll()
console.table({ [`beside ${busyCount} busy processes`]: summarize(beside), alone: summarize(alone) })
if ([...beside, ...alone].some(({ outcome }) => outcome !== '200')) process.exitCode = 1
