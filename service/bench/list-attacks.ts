/** Attacks by an assistant's calls that repeat, and by lists as long as an account may have them. */
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { proofSchema } from '@vitrine/contract'
import { type Attack, keepOn, send } from './account-attacks.ts'

const CALLS = 60
const PAUSE_MS = 100

/** Sixty equal calls of an assistant at once, of a mockup of 4,000 px: one is paid for, others repeat it. */
export const repeatedAssistantCalls: Attack = {
  name: '11 repeated assistant calls',
  credits: 1,
  slowdownMax: 2,
  async run(attacker, signal) {
    const artwork = `${attacker.originUrl}/artwork`
    const call = (key: string | undefined) =>
      send(attacker, '/mcp', {
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'create_mockup', arguments: { templates: ['oak-frame-portrait'], artwork, width: 4000 } },
        }),
      })
    await call(attacker.keys[0])
    for (let round = 0; !signal.aborted; round++) {
      const key = attacker.keys[round % attacker.keys.length]
      const refusedBefore = attacker.answers.get(429) ?? 0
      await Promise.all(Array.from({ length: CALLS }, () => call(key)))
      // Thousands of refusals a second would measure this process, which asks as the other customer too.
      if ((attacker.answers.get(429) ?? 0) - refusedBefore === CALLS) await delay(PAUSE_MS)
    }
  },
}

const ANSWERS = 50
const AREAS = 900

/** A hundred links with fifty answers of 57 KB, as an earlier version took them: their lists, by the page. */
export const longLists: Attack = {
  name: '12 long lists',
  credits: 0,
  slowdownMax: 2,
  async run(attacker, signal) {
    const { service, cookie } = attacker
    const headers = { cookie, origin: service.url, 'content-type': 'application/json' }
    const draft = {
      title: 'Long',
      shop_name: 'Long',
      template_ids: ['oak-frame-portrait'],
      placements: {},
      colors: {},
    }
    const ids: string[] = []
    while (ids.length < 100 && !signal.aborted) {
      const made = await fetch(`${service.url}/dashboard/api/proofs`, {
        method: 'POST',
        headers,
        body: JSON.stringify(draft),
      })
      if (!made.ok) break
      ids.push(proofSchema.parse(await made.json()).id)
    }
    insertAnswers(path.join(service.dataDir, 'vitrine.db'), ids)
    await keepOn(
      signal,
      async round => {
        const ofLink = `/${ids[round % ids.length]}/answers`
        await send(attacker, `/dashboard/api/proofs${round % 2 === 0 ? '' : ofLink}`, { method: 'GET', headers })
      },
      100,
    )
  },
}

function insertAnswers(file: string, proofIds: readonly string[]): void {
  using database = new DatabaseSync(file)
  const colors = Object.fromEntries(
    Array.from({ length: AREAS }, (_, index) => [`a part of the product ${`${index}`.padStart(9, '0')}`, '#aabbcc']),
  )
  const answer = JSON.stringify({
    hearts: [],
    word: '',
    is_approved: false,
    placements: {},
    colors: { 'oak-frame-portrait': colors },
    seen: null,
  })
  const insert = database.prepare('insert into proof_answers (id, proof_id, at_ms, answer) values (?, ?, ?, ?)')
  database.exec('begin immediate')
  for (const proofId of proofIds) {
    for (let index = 0; index < ANSWERS; index++) insert.run(`ans_${proofId}_${index}`, proofId, index, answer)
  }
  database.exec('commit')
}
