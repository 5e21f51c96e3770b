/**
 * A customer's client that never stops: kept-alive connections and requests of every kind, good and bad.
 *
 *   node service/bench/soak.ts [mockups, default 5000]
 *
 * Prints the memory of the HTTP process and of the render processes as it goes; level lines mean no leak.
 */
import { templateList } from '@vitrine/contract'
import { readSampleArtwork, residentBytes, spawnService } from './spawned-service.ts'

const wanted = Number(process.argv[2] ?? 5000)
await using service = await spawnService({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_DAY: '10000000' })
const { key } = await service.customer(wanted * 2)
const authorization = `Bearer ${key}`
const artwork = new Blob([await readSampleArtwork()], { type: 'image/jpeg' })
const api = `${service.url}/api/v1`
const listed = await fetch(`${api}/templates`, { headers: { authorization } })
const { templates } = templateList.parse(await listed.json())
const ids = templates.map(({ id }) => id)

/** Every kind of request that a client sends in a day. Each returns how many mockups came back. */
const kinds: readonly ((turn: number) => Promise<number>)[] = [
  turn => generate({ template_id: ids[turn % ids.length] ?? '', width: '800' }),
  turn => generate({ template_id: ids[turn % ids.length] ?? '', width: '500', format: 'png' }),
  turn => generate({ template_id: ids[turn % ids.length] ?? '', width: '600', response_format: 'json' }),
  () =>
    generate(
      { template_ids: JSON.stringify(ids.slice(0, 3)), width: '500', response_format: 'json' },
      Math.min(3, ids.length),
    ),
  () => generate({ template_id: 'no-such-template' }),
  () => generate({ template_id: ids[0] ?? '', width: '9999' }),
  () => read('templates?search=frame'),
  () => read('billing/balance'),
  () => read('billing/usage?period=30d'),
  () => read('nothing-here'),
]

async function generate(fields: Record<string, string>, mockups = 1): Promise<number> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('artwork', artwork, 'artwork.jpg')
  const answer = await fetch(`${api}/mockups/generate`, { method: 'POST', headers: { authorization }, body: form })
  await answer.arrayBuffer()
  if (answer.status >= 500) throw new Error(`${answer.status} for ${JSON.stringify(fields)}`)
  return answer.ok ? mockups : 0
}

async function read(pathname: string): Promise<number> {
  const answer = await fetch(`${api}/${pathname}`, { headers: { authorization } })
  await answer.arrayBuffer()
  return 0
}

let mockups = 0
let turn = 0
let nextReport = 0
const client = async () => {
  while (mockups < wanted) {
    const kind = kinds[turn++ % kinds.length]
    if (kind !== undefined) mockups += await kind(turn)
    if (mockups >= nextReport) {
      nextReport += Math.ceil(wanted / 10)
      const { main, children } = await residentBytes(service.process.pid ?? 0)
      console.log(
        `${String(mockups).padStart(6)} mockups  HTTP process ${(main / 2 ** 20).toFixed(0)} MB  render processes ${(children / 2 ** 20).toFixed(0)} MB`,
      )
    }
  }
}
await Promise.all([client(), client(), client()])
console.log(await service.command('ledger', 'verify'))
