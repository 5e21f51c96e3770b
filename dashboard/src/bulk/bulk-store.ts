/**
 * Keeps in the browser what was chosen for a bulk run and the run with its finished mockups: a reload loses
 * nothing.
 */
import { openStore } from '../browser-store.ts'
import type { MockupOutput } from '../mockups.ts'
import type { BulkOutcome } from './bulk-run.ts'

const store = openStore('vitrine-bulk', 1)

export type BulkInputs = {
  readonly artworks: readonly File[]
  readonly templates: readonly { readonly id: string; readonly name: string }[]
  readonly output: MockupOutput
}

export type BulkRecord = { readonly runId: string; readonly inputs: BulkInputs }

export type KeptBulk = {
  readonly inputs: BulkInputs | undefined
  readonly run: { readonly record: BulkRecord; readonly outcomes: ReadonlyMap<number, BulkOutcome> } | undefined
}

const inputsKey = (accountId: string): string => `${accountId}/inputs`
const runKey = (accountId: string): string => `${accountId}/run`
const outcomesPrefix = (accountId: string): string => `${accountId}/outcome/`

export async function loadBulk(accountId: string): Promise<KeptBulk> {
  const inputs = await store.read<BulkInputs>(inputsKey(accountId))
  const record = await store.read<BulkRecord>(runKey(accountId))
  if (record === undefined) return { inputs, run: undefined }
  const prefix = outcomesPrefix(accountId)
  const kept = await store.readAll<BulkOutcome>(prefix)
  const outcomes = new Map([...kept].map(([key, outcome]) => [Number(key.slice(prefix.length)), outcome]))
  return { inputs, run: { record, outcomes } }
}

export const keepInputs = (accountId: string, inputs: BulkInputs): Promise<void> =>
  store.write(inputsKey(accountId), inputs)

/** A new run; what the one before has left goes. */
export async function keepRun(accountId: string, record: BulkRecord): Promise<void> {
  await forgetRun(accountId)
  await store.write(runKey(accountId), record)
}

export const keepOutcome = (accountId: string, index: number, outcome: BulkOutcome): Promise<void> =>
  store.write(`${outcomesPrefix(accountId)}${index}`, outcome)

export async function forgetRun(accountId: string): Promise<void> {
  await store.remove(runKey(accountId))
  await store.removeAll(outcomesPrefix(accountId))
}
