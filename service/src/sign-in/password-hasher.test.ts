import assert from 'node:assert/strict'
import { it } from 'node:test'
import { HashingBusyError, PasswordHasher } from './password-hasher.ts'

it('passwords are hashed two at a time and in order of arrival, 64 wait, and one more is refused until one has ended', async () => {
  const hasher = new PasswordHasher(2)
  const begun: number[] = []
  const endings: (() => void)[] = []
  let running = 0
  let runningMax = 0
  const runs = Array.from({ length: 66 }, (_, i) =>
    hasher.inTurn(async () => {
      begun.push(i)
      runningMax = Math.max(runningMax, ++running)
      await new Promise<void>(resolve => endings.push(resolve))
      running--
      if (i === 3) throw new Error('one that fails')
    }),
  )
  const outcomes = Promise.allSettled(runs)
  assert.equal(hasher.isBusy, true)
  await assert.rejects(hasher.hash('one too many'), HashingBusyError)
  await assert.rejects(hasher.verify({ hash: '$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA', password: 'x' }), HashingBusyError)
  for (let ended = 0; ended < 66; ended++) {
    const end = endings.shift()
    assert.ok(end, `nothing runs after ${ended}`)
    end()
    await new Promise(resolve => setImmediate(resolve))
    assert.equal(hasher.isBusy, false)
  }
  assert.equal((await outcomes).filter(({ status }) => status === 'rejected').length, 1)
  assert.equal(runningMax, 2)
  assert.deepEqual(
    begun,
    Array.from({ length: 66 }, (_, i) => i),
  )
})

it('a hashed password is verified, however its letters are composed, and no other is', async () => {
  const hasher = new PasswordHasher()
  const hash = await hasher.hash('caf\u00e9 au lait')
  assert.equal(await hasher.verify({ hash, password: 'cafe\u0301 au lait' }), true)
  assert.equal(await hasher.verify({ hash, password: 'cafe au lait' }), false)
})
