import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DownloadAdmission } from './download-admission.ts'
import { ACCOUNT_DOWNLOADS_MAX, DOWNLOADS_MAX, HOST_DOWNLOADS_MAX, REQUEST_DOWNLOADS_MAX } from './limits.ts'

/** The admitted downloads of a test, in order, until they end. */
class Downloads {
  readonly #admission = new DownloadAdmission()
  readonly #permits = new Map<string, Disposable>()

  /** Requests admission for a download, by default of its own request and from its own host. */
  async ask(
    name: string,
    claim: { account?: string; request?: object; host?: string } = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    const { account = name, request = {}, host = name } = claim
    this.#permits.set(name, await this.#admission.admit({ accountId: account, request, host }, signal))
  }

  /** Requests admission for several downloads and leaves those pending that must wait. */
  async askAll(names: readonly string[], claim: (name: string) => Parameters<Downloads['ask']>[1]): Promise<void> {
    for (const name of names) void this.ask(name, claim(name))
    await nextTurn()
  }

  async end(name: string): Promise<void> {
    this.#permits.get(name)?.[Symbol.dispose]()
    this.#permits.delete(name)
    await nextTurn()
  }

  get underWay(): readonly string[] {
    return [...this.#permits.keys()]
  }
}

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

for (const [what, max, claim] of [
  ['a request', REQUEST_DOWNLOADS_MAX, (request => () => ({ request }))({})],
  ['an account', ACCOUNT_DOWNLOADS_MAX, () => ({ account: 'a' })],
  ['a host', HOST_DOWNLOADS_MAX, () => ({ host: 'h' })],
  ['the service', DOWNLOADS_MAX, () => ({})],
] as const)
  test(`${max} downloads of ${what} run at once, and each that ends lets the next begin, in order`, async () => {
    const downloads = new Downloads()
    const names = named('d', max + 2)
    await downloads.askAll(names, claim)
    assert.deepEqual(downloads.underWay, names.slice(0, max))
    await downloads.end('d1')
    assert.deepEqual(downloads.underWay.length, max)
    assert(downloads.underWay.includes(`d${max}`))
    await downloads.end('d0')
    assert(downloads.underWay.includes(`d${max + 1}`))
  })

test('a download begins at once if the limits that others wait for do not apply to it', async () => {
  const downloads = new Downloads()
  await downloads.askAll(named('held', HOST_DOWNLOADS_MAX + 5), () => ({ host: 'busy' }))
  await downloads.ask('other')
  assert(downloads.underWay.includes('other'))
})

test('the account with the fewest downloads in progress is next, however many another has waiting', async () => {
  const downloads = new Downloads()
  await downloads.askAll(named('greedy', 8), () => ({ account: 'greedy', host: 'h' }))
  await downloads.askAll(['modest'], () => ({ account: 'modest', host: 'h' }))
  assert.deepEqual(downloads.underWay, named('greedy', HOST_DOWNLOADS_MAX))
  await downloads.end('greedy0')
  assert(downloads.underWay.includes('modest'))
})

test('accounts with equally many downloads take turns', async () => {
  const downloads = new Downloads()
  await downloads.askAll(named('held', HOST_DOWNLOADS_MAX), name => ({ account: name, host: 'h' }))
  await downloads.askAll(named('a', 3), () => ({ account: 'a', host: 'h' }))
  await downloads.askAll(named('b', 3), () => ({ account: 'b', host: 'h' }))
  const served: string[] = []
  for (let ended = 'held0'; served.length < 6; ) {
    await downloads.end(ended)
    // Only one slot is passed on, so that no account has a download in progress when it asks.
    ended = downloads.underWay.at(-1) ?? ''
    served.push(ended)
  }
  assert.deepEqual(served, ['a0', 'b0', 'a1', 'b1', 'a2', 'b2'])
})

test('a download that is cancelled while it waits passes its turn to the next', async () => {
  const downloads = new Downloads()
  const cancelled = new AbortController()
  await downloads.askAll(named('held', HOST_DOWNLOADS_MAX), () => ({ host: 'h' }))
  const refused = assert.rejects(downloads.ask('first', { host: 'h' }, cancelled.signal), /gone away/)
  await downloads.askAll(['second'], () => ({ host: 'h' }))
  cancelled.abort(new Error('gone away'))
  await refused
  await downloads.end('held0')
  assert(downloads.underWay.includes('second'))
  await assert.rejects(downloads.ask('late', {}, cancelled.signal), /gone away/)
})
