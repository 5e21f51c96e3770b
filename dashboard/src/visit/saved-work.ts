/**
 * Keeps in the browser, for a day, the artworks that were chosen and the mockups that were paid: neither a
 * way back nor a reload loses them. The service keeps its answers as long, so that none is paid twice.
 */
import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../session/session.ts'
import { openStore } from './browser-store.ts'
import type { SavedGallery } from './gallery-address.ts'
import type { MockupOutput } from './mockups.ts'
import type { Placing } from './placing.ts'
import type { RenderTask, TaskState } from './render-tasks.ts'

const store = openStore('vitrine-work', 1)

const KEPT_FOR_MS = 24 * 3_600_000
/** Of one account, and so of one run: about 600 MB at 2,000 px. */
export const MOCKUPS_MAX = 1000
/** Artworks in the dock: at most 400 MB. */
const DOCK_MAX = 20

/** What a person works with now: one artwork for every frame, or one per frame. */
export type ChosenWork = { readonly files: readonly File[]; readonly output: MockupOutput }

/** Where artworks lie in the template that was placed in last. */
export type Placed = { readonly templateId: string; readonly placing: Placing }

export type StoredMockup = {
  /** Its idempotency key. */
  readonly key: string
  readonly templateId: string
  readonly name: string
  /** What its artwork was called. */
  readonly artwork: string
  readonly run: string
  readonly blob: Blob
  readonly madeAtMs: number
}

const chosenKey = (accountId: string): string => `${accountId}/chosen`
const dockPrefix = (accountId: string): string => `${accountId}/dock/`
const galleryKey = (accountId: string): string => `${accountId}/placed-gallery`
const runKey = (accountId: string): string => `${accountId}/run`
const taskPrefix = (accountId: string): string => `${accountId}/task/`
const placedKey = (accountId: string): string => `${accountId}/placed`
const mockupsPrefix = (accountId: string): string => `${accountId}/mockup/`

const isFresh = (ms: number): boolean => Date.now() - ms < KEPT_FOR_MS

export async function keepChosen(accountId: string, work: ChosenWork | null): Promise<void> {
  queryClient.setQueryData(chosenQuery(accountId).queryKey, work)
  if (work !== null) await addToDock(accountId, work.files)
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

/** The artworks that are chosen now, or null: a page may not have drawn the newest ones yet. */
export const chosenNow = (accountId: string): readonly File[] | null =>
  queryClient.getQueryData(chosenQuery(accountId).queryKey)?.files ?? null

/** Whether two files are one artwork: those that were read from the browser's store are others each time. */
export const isSameFile = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

export type DockArtwork = { readonly id: string; readonly file: File; readonly addedAtMs: number }

/** The artworks of this visit, the newest first. */
export const dockQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['dock', accountId],
    queryFn: async (): Promise<readonly DockArtwork[]> => {
      const kept = await store.readAll<DockArtwork>(dockPrefix(accountId))
      return [...kept.values()].toSorted((a, b) => b.addedAtMs - a.addedAtMs)
    },
    networkMode: 'always',
    staleTime: Infinity,
    retry: false,
  })

/** Puts artworks into the dock, in this tab also where the browser keeps nothing; the oldest leave it. */
export async function addToDock(accountId: string, files: readonly File[]): Promise<void> {
  const { queryKey } = dockQuery(accountId)
  await queryClient.ensureQueryData(dockQuery(accountId)).catch(() => [])
  // As it is now: two drops may have waited for it.
  const before = queryClient.getQueryData(queryKey) ?? []
  const fresh = files.filter(
    (file, index) =>
      !before.some(known => isSameFile(known.file, file)) && files.findIndex(each => isSameFile(each, file)) === index,
  )
  if (fresh.length === 0) return
  const added = fresh.map((file, index) => ({ id: crypto.randomUUID(), file, addedAtMs: Date.now() - index }))
  const all = [...added, ...before]
  queryClient.setQueryData(queryKey, all.slice(0, DOCK_MAX))
  for (const artwork of added.slice(0, DOCK_MAX)) await store.write(dockPrefix(accountId) + artwork.id, artwork)
  for (const { id } of all.slice(DOCK_MAX)) await store.remove(dockPrefix(accountId) + id)
}

export async function takeOutOfDock(accountId: string, id: string): Promise<void> {
  const { queryKey } = dockQuery(accountId)
  queryClient.setQueryData(queryKey, before => before?.filter(artwork => artwork.id !== id))
  await store.remove(dockPrefix(accountId) + id)
}

/** Forgets the artworks of a visit that ends. Mockups that were paid stay for the day. */
export async function forgetVisit(accountId: string): Promise<void> {
  await store.removeAll(dockPrefix(accountId))
  await store.remove(chosenKey(accountId))
  await store.remove(placedKey(accountId))
  await store.remove(galleryKey(accountId))
  await forgetRun(accountId)
}

/** `pageAtMs`: when a template's page changed it, since it was left. */
export type StoredGallery = SavedGallery & { readonly pageAtMs: number | null }

/** The gallery as it was left within the day: what templates' pages show too, and change. */
export async function saveGallery(
  accountId: string,
  gallery: SavedGallery,
  pageAtMs: number | null = null,
): Promise<void> {
  await store.write(galleryKey(accountId), { ...gallery, pageAtMs, keptAtMs: Date.now() })
}

export async function loadGallery(accountId: string): Promise<StoredGallery | null> {
  const kept = await store.read<StoredGallery & { keptAtMs: number }>(galleryKey(accountId))
  return kept !== undefined && isFresh(kept.keptAtMs) ? kept : null
}

/** A run of mockups with what is known of each; its pictures are among the mockups of the day. */
type SavedRun = { readonly tasks: readonly RenderTask[]; readonly states: readonly TaskState[] }

/** A new run, in place of the one before. */
export async function keepRun(accountId: string, tasks: readonly RenderTask[]): Promise<void> {
  await forgetRun(accountId)
  await store.write(runKey(accountId), { tasks, keptAtMs: Date.now() })
}

export const keepTaskState = (accountId: string, index: number, state: TaskState): Promise<void> =>
  store.write(`${taskPrefix(accountId)}${index}`, state)

/** Within the day: after it the service would charge again for what was under way. */
export async function loadRun(accountId: string): Promise<SavedRun | null> {
  const kept = await store.read<{ tasks: readonly RenderTask[]; keptAtMs: number }>(runKey(accountId))
  if (kept === undefined) return null
  if (!isFresh(kept.keptAtMs)) {
    await forgetRun(accountId)
    return null
  }
  const prefix = taskPrefix(accountId)
  const states = await store.readAll<TaskState>(prefix)
  return {
    tasks: kept.tasks,
    states: kept.tasks.map((_, index) => states.get(`${prefix}${index}`) ?? { kind: 'waiting' }),
  }
}

export async function forgetRun(accountId: string): Promise<void> {
  await store.remove(runKey(accountId))
  await store.removeAll(taskPrefix(accountId))
}

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
    queryKey: ['stored-mockups', accountId],
    queryFn: async (): Promise<readonly StoredMockup[]> => {
      const kept = await store.readAll<StoredMockup>(mockupsPrefix(accountId))
      for (const [key, { madeAtMs }] of kept) if (!isFresh(madeAtMs)) store.remove(key).catch(() => undefined)
      // An earlier version of the pages noted neither artwork nor run.
      const whole = [...kept.values()].map(mockup => ({
        ...mockup,
        artwork: mockup.artwork ?? '',
        run: mockup.run ?? '',
      }))
      return whole.filter(({ madeAtMs }) => isFresh(madeAtMs)).toSorted((a, b) => b.madeAtMs - a.madeAtMs)
    },
    networkMode: 'always',
    staleTime: Infinity,
    retry: false,
  })

/** One picture under two names is two mockups: two artworks may have the same bytes. */
export const storedMockupId = ({ key, name }: Pick<StoredMockup, 'key' | 'name'>): string => `${key} ${name}`

/** Forgets mockups before their day is over. */
export async function forgetMockups(accountId: string, mockups: readonly StoredMockup[]): Promise<void> {
  const ids = new Set(mockups.map(storedMockupId))
  queryClient.setQueryData(keptMockupsQuery(accountId).queryKey, before =>
    before?.filter(each => !ids.has(storedMockupId(each))),
  )
  for (const id of ids) await store.remove(mockupsPrefix(accountId) + id)
}

/**
 * Keeps a mockup, in this tab also where the browser refuses; forgets those that this tab knows to be too old
 * or too many. Others stay: another mockup, or another tab, may just have written them.
 */
export async function keepMockup(accountId: string, mockup: StoredMockup): Promise<void> {
  const query = keptMockupsQuery(accountId)
  await queryClient.ensureQueryData(query).catch(() => [])
  // As it is now: two mockups may have waited for it.
  const before = queryClient.getQueryData(query.queryKey) ?? []
  const id = storedMockupId(mockup)
  const all = [mockup, ...before.filter(each => storedMockupId(each) !== id)]
  const kept = new Set(all.filter(({ madeAtMs }, index) => index < MOCKUPS_MAX && isFresh(madeAtMs)))
  queryClient.setQueryData(query.queryKey, [...kept])
  const prefix = mockupsPrefix(accountId)
  await store.write(prefix + id, mockup)
  for (const each of all) if (!kept.has(each)) await store.remove(prefix + storedMockupId(each))
}
