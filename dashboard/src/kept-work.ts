/**
 * Keeps in the browser, for a day, the artworks that were chosen and the mockups that were paid: neither a
 * way back nor a reload loses them. The service keeps its answers as long, so that none is paid twice.
 */
import { queryOptions } from '@tanstack/react-query'
import { openStore } from './browser-store.ts'
import type { MockupOutput } from './mockups.ts'
import type { Placing } from './placing/placing.ts'
import { queryClient } from './session/session.ts'

const store = openStore('vitrine-work', 1)

const KEPT_FOR_MS = 24 * 3_600_000
/** Of one account: about 100 MB at 4,000 px. */
const MOCKUPS_MAX = 50

/** What a person works with now: one artwork for every frame, or one per frame. */
export type ChosenWork = { readonly files: readonly File[]; readonly output: MockupOutput }

/** Where artworks lie in the template that was placed in last. */
export type Placed = { readonly templateId: string; readonly placing: Placing }

export type KeptMockup = {
  /** Its idempotency key. */
  readonly key: string
  readonly templateId: string
  readonly name: string
  readonly blob: Blob
  readonly madeAtMs: number
}

const chosenKey = (accountId: string): string => `${accountId}/chosen`
const placedKey = (accountId: string): string => `${accountId}/placed`
const mockupsPrefix = (accountId: string): string => `${accountId}/mockup/`

const isFresh = (ms: number): boolean => Date.now() - ms < KEPT_FOR_MS

export async function keepChosen(accountId: string, work: ChosenWork | null): Promise<void> {
  queryClient.setQueryData(chosenQuery(accountId).queryKey, work)
  if (work === null) await store.remove(chosenKey(accountId))
  else await store.write(chosenKey(accountId), { ...work, keptAtMs: Date.now() })
}

export const chosenQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['chosen', accountId],
    queryFn: async (): Promise<ChosenWork | null> => {
      const kept = await store.read<ChosenWork & { keptAtMs: number }>(chosenKey(accountId))
      return kept !== undefined && isFresh(kept.keptAtMs) ? kept : null
    },
    networkMode: 'always',
    staleTime: Infinity,
    retry: false,
  })

/** By itself: the artworks are large, and placements change often. */
export async function keepPlaced(accountId: string, placed: Placed): Promise<void> {
  await store.write(placedKey(accountId), { ...placed, keptAtMs: Date.now() })
}

export async function loadPlaced(accountId: string): Promise<Placed | null> {
  const kept = await store.read<Placed & { keptAtMs: number }>(placedKey(accountId))
  return kept !== undefined && isFresh(kept.keptAtMs) ? kept : null
}

/** The mockups of the day, newest first. */
export const keptMockupsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['kept-mockups', accountId],
    queryFn: async (): Promise<readonly KeptMockup[]> => {
      const kept = await store.readAll<KeptMockup>(mockupsPrefix(accountId))
      return [...kept.values()].filter(({ madeAtMs }) => isFresh(madeAtMs)).toSorted((a, b) => b.madeAtMs - a.madeAtMs)
    },
    networkMode: 'always',
    staleTime: Infinity,
    retry: false,
  })

/** Keeps a mockup, in this tab also where the browser refuses; forgets those that are too old or too many. */
export async function keepMockup(accountId: string, mockup: KeptMockup): Promise<void> {
  const query = keptMockupsQuery(accountId)
  const before = await queryClient.ensureQueryData(query).catch(() => [])
  const all = [mockup, ...before.filter(({ key }) => key !== mockup.key)]
  const kept = all.filter(({ madeAtMs }, index) => index < MOCKUPS_MAX && isFresh(madeAtMs))
  queryClient.setQueryData(query.queryKey, kept)
  const prefix = mockupsPrefix(accountId)
  await store.write(prefix + mockup.key, mockup)
  const keys = new Set(kept.map(({ key }) => prefix + key))
  for (const key of (await store.readAll(prefix)).keys()) if (!keys.has(key)) await store.remove(key)
}
