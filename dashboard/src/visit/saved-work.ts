/**
 * Saves chosen artworks and paid mockups in the browser for a day, so that navigation and reloads lose
 * nothing. The service caches its answers as long, so that nothing is paid twice.
 */
import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../session/session.ts'
import { openStore } from './browser-store.ts'
import type { SavedGallery } from './gallery-address.ts'
import type { MockupOutput } from './mockups.ts'
import type { Placing } from './placing.ts'
import type { RenderTask, TaskState } from './render-tasks.ts'

const store = openStore('vitrine-work', 1)

const SAVED_FOR_MS = 24 * 3_600_000
/** Per account, and so per run: about 600 MB at 2,000 px. */
export const MOCKUPS_MAX = 1000
/** Artworks in the dock: at most 400 MB. */
const DOCK_MAX = 20

/** The current work: one artwork for every frame, or one per frame. */
export type ChosenWork = { readonly files: readonly File[]; readonly output: MockupOutput }

/** The placements in the template that was used last. */
export type Placed = { readonly templateId: string; readonly placing: Placing }

export type StoredMockup = {
  /** Its idempotency key. */
  readonly key: string
  readonly templateId: string
  readonly name: string
  /** The artwork's name. */
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

const isFresh = (ms: number): boolean => Date.now() - ms < SAVED_FOR_MS

export async function saveChosen(accountId: string, work: ChosenWork | null): Promise<void> {
  queryClient.setQueryData(chosenQuery(accountId).queryKey, work)
  if (work !== null) await addToDock(accountId, work.files)
  if (work === null) await store.remove(chosenKey(accountId))
  else await store.write(chosenKey(accountId), { ...work, savedAtMs: Date.now() })
}

export const chosenQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['chosen', accountId],
    queryFn: async (): Promise<ChosenWork | null> => {
      const saved = await store.read<ChosenWork & { savedAtMs: number }>(chosenKey(accountId))
      return saved !== undefined && isFresh(saved.savedAtMs) ? saved : null
    },
    networkMode: 'always',
    staleTime: Infinity,
    retry: false,
  })

/** The artworks chosen now, or null. A page may not have rendered the newest yet. */
export const chosenNow = (accountId: string): readonly File[] | null =>
  queryClient.getQueryData(chosenQuery(accountId).queryKey)?.files ?? null

/** Whether two files are the same artwork: reading the browser's store creates a new File each time. */
export const isSameFile = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

export type DockArtwork = { readonly id: string; readonly file: File; readonly addedAtMs: number }

/** The artworks of this visit, newest first. */
export const dockQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['dock', accountId],
    queryFn: async (): Promise<readonly DockArtwork[]> => {
      const saved = await store.readAll<DockArtwork>(dockPrefix(accountId))
      return [...saved.values()].toSorted((a, b) => b.addedAtMs - a.addedAtMs)
    },
    networkMode: 'always',
    staleTime: Infinity,
    retry: false,
  })

/** Adds artworks to the dock, in this tab even if the browser saves nothing; the oldest are dropped. */
export async function addToDock(accountId: string, files: readonly File[]): Promise<void> {
  const { queryKey } = dockQuery(accountId)
  await queryClient.ensureQueryData(dockQuery(accountId)).catch(() => [])
  // Read again here: two drops may have waited for the store.
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

/** Removes the artworks at the end of a visit. Paid mockups stay for a day. */
export async function forgetVisit(accountId: string): Promise<void> {
  await store.removeAll(dockPrefix(accountId))
  await store.remove(chosenKey(accountId))
  await store.remove(placedKey(accountId))
  await store.remove(galleryKey(accountId))
  await forgetRun(accountId)
}

/** `pageAtMs`: when a template's page last changed the saved gallery. */
export type StoredGallery = SavedGallery & { readonly pageAtMs: number | null }

/** The gallery as it was left, for a day. Templates' pages show and change it too. */
export async function saveGallery(
  accountId: string,
  gallery: SavedGallery,
  pageAtMs: number | null = null,
): Promise<void> {
  await store.write(galleryKey(accountId), { ...gallery, pageAtMs, savedAtMs: Date.now() })
}

export async function loadGallery(accountId: string): Promise<StoredGallery | null> {
  const saved = await store.read<StoredGallery & { savedAtMs: number }>(galleryKey(accountId))
  return saved !== undefined && isFresh(saved.savedAtMs) ? saved : null
}

/** A run with the state of each mockup; their pictures are saved separately. */
type SavedRun = { readonly tasks: readonly RenderTask[]; readonly states: readonly TaskState[] }

/** Saves a new run in place of the previous one. */
export async function saveRun(accountId: string, tasks: readonly RenderTask[]): Promise<void> {
  await forgetRun(accountId)
  await store.write(runKey(accountId), { tasks, savedAtMs: Date.now() })
}

export const saveTaskState = (accountId: string, index: number, state: TaskState): Promise<void> =>
  store.write(`${taskPrefix(accountId)}${index}`, state)

/** For a day: later, the service would charge again for mockups that were in progress. */
export async function loadRun(accountId: string): Promise<SavedRun | null> {
  const saved = await store.read<{ tasks: readonly RenderTask[]; savedAtMs: number }>(runKey(accountId))
  if (saved === undefined) return null
  if (!isFresh(saved.savedAtMs)) {
    await forgetRun(accountId)
    return null
  }
  const prefix = taskPrefix(accountId)
  const states = await store.readAll<TaskState>(prefix)
  return {
    tasks: saved.tasks,
    states: saved.tasks.map((_, index) => states.get(`${prefix}${index}`) ?? { kind: 'waiting' }),
  }
}

export async function forgetRun(accountId: string): Promise<void> {
  await store.remove(runKey(accountId))
  await store.removeAll(taskPrefix(accountId))
}

/** Saved separately: artworks are large, and placements change often. */
export async function savePlaced(accountId: string, placed: Placed): Promise<void> {
  await store.write(placedKey(accountId), { ...placed, savedAtMs: Date.now() })
}

export async function loadPlaced(accountId: string): Promise<Placed | null> {
  const saved = await store.read<Placed & { savedAtMs: number }>(placedKey(accountId))
  return saved !== undefined && isFresh(saved.savedAtMs) ? saved : null
}

/** The mockups of the last day in this browser, newest first. */
export const browserMockupsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['stored-mockups', accountId],
    queryFn: async (): Promise<readonly StoredMockup[]> => {
      const saved = await store.readAll<StoredMockup>(mockupsPrefix(accountId))
      for (const [key, { madeAtMs }] of saved) if (!isFresh(madeAtMs)) store.remove(key).catch(() => undefined)
      return [...saved.values()].filter(({ madeAtMs }) => isFresh(madeAtMs)).toSorted((a, b) => b.madeAtMs - a.madeAtMs)
    },
    networkMode: 'always',
    staleTime: Infinity,
    retry: false,
  })

/** One picture with two names is two mockups: two artworks may have the same bytes. */
export const storedMockupId = ({ key, name }: Pick<StoredMockup, 'key' | 'name'>): string => `${key} ${name}`

/** Removes mockups before their day is over. */
export async function forgetMockups(accountId: string, mockups: readonly StoredMockup[]): Promise<void> {
  const ids = new Set(mockups.map(storedMockupId))
  queryClient.setQueryData(browserMockupsQuery(accountId).queryKey, before =>
    before?.filter(each => !ids.has(storedMockupId(each))),
  )
  for (const id of ids) await store.remove(mockupsPrefix(accountId) + id)
}

/**
 * Saves a mockup, in this tab even if the browser refuses, and removes those this tab knows to be too old or
 * too many. Others stay: another tab may just have written them.
 */
export async function saveMockup(accountId: string, mockup: StoredMockup): Promise<void> {
  const query = browserMockupsQuery(accountId)
  await queryClient.ensureQueryData(query).catch(() => [])
  // Read again here: two mockups may have waited for the store.
  const before = queryClient.getQueryData(query.queryKey) ?? []
  const id = storedMockupId(mockup)
  const all = [mockup, ...before.filter(each => storedMockupId(each) !== id)]
  const retained = new Set(all.filter(({ madeAtMs }, index) => index < MOCKUPS_MAX && isFresh(madeAtMs)))
  queryClient.setQueryData(query.queryKey, [...retained])
  const prefix = mockupsPrefix(accountId)
  await store.write(prefix + id, mockup)
  for (const each of all) if (!retained.has(each)) await store.remove(prefix + storedMockupId(each))
}
