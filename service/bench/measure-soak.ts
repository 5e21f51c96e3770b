import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { templateList } from '@vitrine/contract'
import { readSampleArtwork, type SpawnedService } from './spawned-service.ts'

/** The processes of the service at one moment. */
export type SoakSample = {
  readonly mockups: number
  readonly requests: number
  /** Resident memory of the HTTP process, and what of it is JavaScript in use. */
  readonly serviceBytes: number
  readonly heapBytes: number
  /** Resident memory of each render process. */
  readonly renderBytes: readonly number[]
  /** Open files and sockets of the HTTP process. */
  readonly openFiles: number
  /** Private folders of requests. */
  readonly folders: number
}

export type SoakFigures = {
  readonly samples: readonly SoakSample[]
  /** Answers by kind of request and status. */
  readonly statuses: ReadonlyMap<string, number>
  readonly lostProcesses: number
  /** Mockups that the client received, and credits that its account was charged. */
  readonly mockups: number
  readonly creditsConsumed: number
}

type Kind = {
  readonly name: string
  readonly expected: number
  readonly send: (turn: number) => Promise<Response | Response[]>
}

/**
 * Three kept-alive loops over requests of every kind, valid and invalid, until the wanted mockups have been
 * delivered. Every kind must be answered as the interface says.
 *
 * @throws Error when an answer has another status
 */
export async function measureSoak(
  service: SpawnedService,
  artworkUrl: string,
  wanted: number,
  onSample: (sample: SoakSample) => void = () => undefined,
): Promise<SoakFigures> {
  const { key } = await service.customer(1_000_000)
  const kinds = await buildKinds(service, key, artworkUrl)
  const samples: SoakSample[] = []
  const statuses = new Map<string, number>()
  let [mockups, turn, nextSample] = [0, 0, 0]
  const sample = async () => {
    const taken = { mockups, requests: turn, ...(await sampleProcesses(service)) }
    samples.push(taken)
    onSample(taken)
  }
  const loop = async () => {
    while (mockups < wanted) {
      const kind = kinds[turn % kinds.length]
      if (kind === undefined) return
      const answers = [await kind.send(Math.floor(turn++ / kinds.length))].flat()
      for (const { headers } of answers)
        if (!headers.has('idempotency-replayed')) mockups += Number(headers.get('x-credits-used') ?? 0)
      await Promise.all(answers.map(answer => answer.arrayBuffer()))
      const status = answers.at(-1)?.status
      if (status !== kind.expected) throw new Error(`${kind.name}: expected ${kind.expected} but received ${status}`)
      const counted = `${kind.name}: ${status}`
      statuses.set(counted, (statuses.get(counted) ?? 0) + 1)
      if (mockups < nextSample) continue
      nextSample = mockups + wanted / 30
      await sample()
    }
  }
  await Promise.all([loop(), loop(), loop()])
  await delay(1000) // the last folders are removed after their answers
  await sample()
  const balance = await fetch(`${service.url}/api/v1/billing/balance`, { headers: { authorization: `Bearer ${key}` } })
  const left = Number(/"balance_credits":(\d+)/.exec(await balance.text())?.[1])
  return {
    samples,
    statuses,
    mockups,
    creditsConsumed: 1_000_000 - left,
    lostProcesses: await readMetric(service, 'vitrine_render_processes_lost_total'),
  }
}

/** Every kind of request that a client sends in a day, and how it must be answered. */
async function buildKinds(service: SpawnedService, key: string, artworkUrl: string): Promise<readonly Kind[]> {
  const api = `${service.url}/api/v1`
  const authorization = `Bearer ${key}`
  const listed = await fetch(`${api}/templates?limit=100`, { headers: { authorization } })
  const { templates } = templateList.parse(await listed.json())
  const ids = templates.map(({ id }) => id)
  const [widest] = templates.toSorted((a, b) => b.frame_count - a.frame_count)
  const byFrame = Object.fromEntries(
    Array.from({ length: widest?.frame_count ?? 1 }, (_, index) => [index, artworkUrl]),
  )
  const idOf = (turn: number) => ids[turn % ids.length] ?? ''
  const artwork = await readSampleArtwork()
  const read = (target: string, headers = { authorization }) => fetch(`${api}/${target}`, { headers })
  const post = (headers: Record<string, string>, body: string | FormData) =>
    fetch(`${api}/mockups/generate`, { method: 'POST', headers: { authorization, ...headers }, body })
  const json = (fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
    post({ 'content-type': 'application/json', ...headers }, JSON.stringify(fields))
  const form = (fields: Record<string, string>, bytes: Buffer<ArrayBuffer> = artwork) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.set(name, value)
    data.set('artwork', new Blob([bytes]), 'artwork.jpg')
    return post({}, data)
  }
  const kind = (name: string, expected: number, send: Kind['send']): Kind => ({ name, expected, send })
  return [
    kind('upload', 200, turn => form({ template_id: idOf(turn), width: '800' })),
    kind('upload, png', 200, turn => form({ template_id: idOf(turn), width: '500', format: 'png' })),
    kind('upload, json answer', 200, turn => form({ template_id: idOf(turn), width: '600', response_format: 'json' })),
    kind('address', 200, turn => json({ template_id: idOf(turn), artwork_url: artworkUrl, width: 700 })),
    kind('addresses by frame', 200, () => json({ template_id: widest?.id, artwork_urls: byFrame, width: 400 })),
    kind('batch', 200, turn =>
      json({
        template_ids: [idOf(turn), idOf(turn + 1), idOf(turn)],
        artwork_url: artworkUrl,
        width: 300,
        response_format: 'json',
      }),
    ),
    kind('kept answer', 200, turn =>
      json({ template_id: idOf(0), artwork_url: artworkUrl, width: 300 }, { 'idempotency-key': `soak-${turn % 7}` }),
    ),
    kind('kept key, other request', 422, async turn => {
      const headers = { 'idempotency-key': `mismatch-${turn}` }
      const first = await json({ template_id: idOf(0), artwork_url: artworkUrl, width: 20 }, headers)
      return [first, await json({ template_id: idOf(0), artwork_url: artworkUrl, width: 21 }, headers)]
    }),
    kind('artwork that is no picture', 400, () => form({ template_id: idOf(0) }, Buffer.from('no picture'))),
    kind('artwork cut short', 400, () => form({ template_id: idOf(0) }, artwork.subarray(0, artwork.length / 2))),
    kind('forbidden address', 400, () => json({ template_id: idOf(0), artwork_url: 'http://169.254.169.254/' })),
    kind('unknown template', 404, () => form({ template_id: 'no-such-template' })),
    kind('width out of range', 400, () => form({ template_id: idOf(0), width: '9999' })),
    kind('broken json', 400, () => post({ 'content-type': 'application/json' }, '{"template_id":')),
    kind('another type', 415, () => post({ 'content-type': 'text/plain' }, 'hello')),
    kind('templates', 200, () => read('templates?search=frame&limit=3')),
    kind('balance', 200, () => read('billing/balance')),
    kind('usage', 200, () => read('billing/usage?period=30d')),
    kind('unknown path', 404, () => read('nothing-here')),
    kind('no key', 401, () => read('templates', { authorization: '' })),
  ]
}

async function sampleProcesses(service: SpawnedService): Promise<Omit<SoakSample, 'mockups' | 'requests'>> {
  const pid = service.process.pid ?? 0
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const openFiles = await readdir(`/proc/${pid}/fd`)
  const folders = await readdir(path.join(service.dataDir, 'tmp'))
  const [serviceBytes = 0, ...renderBytes] = await Promise.all(
    [pid, ...children.split(' ').filter(Boolean)].map(residentBytes),
  )
  return {
    serviceBytes,
    heapBytes: await readMetric(service, 'nodejs_heap_size_used_bytes'),
    renderBytes,
    openFiles: openFiles.length,
    folders: folders.length,
  }
}

/** Resident memory of a process (Linux: /proc). */
async function residentBytes(pid: number | string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024
}

async function readMetric({ url }: SpawnedService, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}
