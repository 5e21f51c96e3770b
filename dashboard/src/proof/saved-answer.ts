/** Saves the customer's unsent answer on their device until the link ends, so that a reload loses nothing. */
import type { ProofAnswer } from '@vitrine/contract'
import { openStore } from '../visit/browser-store.ts'
import type { GalleryPlacing } from '../visit/gallery-placing.ts'

const store = openStore('vitrine-links', 1)

type Chosen = Pick<ProofAnswer, 'hearts' | 'word' | 'name' | 'colors'> & { readonly placing: GalleryPlacing }
type Kept<Value> = { readonly value: Value; readonly untilMs: number }

export type SavedAnswer = { readonly chosen: Chosen | null; readonly own: File | null }

const chosenKey = (link: string): string => `${link} chosen`
const ownKey = (link: string): string => `${link} own`

/** `link`: the path of the page. Removes what belongs to links that have ended. */
export async function loadAnswer(link: string): Promise<SavedAnswer> {
  for (const [key, { untilMs }] of await store.readAll<Kept<unknown>>(''))
    if (untilMs < Date.now()) await store.remove(key)
  const chosen = await store.read<Kept<Chosen>>(chosenKey(link))
  const own = await store.read<Kept<File>>(ownKey(link))
  return { chosen: chosen?.value ?? null, own: own?.value ?? null }
}

/** `untilMs`: when the link ends. */
export const saveChosen = (link: string, chosen: Chosen, untilMs: number): Promise<void> =>
  store.write(chosenKey(link), { value: chosen, untilMs } satisfies Kept<Chosen>)

/** Saved separately: it is large, and the rest changes often. Null removes it. */
export const saveOwn = (link: string, own: File | null, untilMs: number): Promise<void> =>
  own === null ? store.remove(ownKey(link)) : store.write(ownKey(link), { value: own, untilMs } satisfies Kept<File>)
