/** Stores drafts in IndexedDB, with their photos and undo steps: one per account and template. */
import type { History } from '../history.ts'
import { openStore } from '../visit/browser-store.ts'
import type { Draft } from './draft.ts'
import type { PhotoDraft } from './photo/photo-draft.ts'

/** The content of an editor when it was left: frames set by hand, or a drawing on a photo. */
export type StoredHistory = History<Draft> | History<PhotoDraft>

export const isOnPhoto = (history: StoredHistory): history is History<PhotoDraft> => 'from' in history.present

const store = openStore('vitrine-editor', 5)

/** `what`: a template's id, or a name for a draft without one. */
export const draftKeyOf = (accountId: string, what: string): string => `${accountId}/${what}`

export const loadDraft = (key: string): Promise<StoredHistory | undefined> => store.read<StoredHistory>(key)
/** A photo that all steps share is written once, and shared again when they are read. */
export const saveDraft = (key: string, history: History<unknown>): Promise<void> => store.write(key, history)
/** A browser that stores nothing has nothing to forget. */
export const forgetDraft = (key: string): Promise<void> => store.remove(key).catch(() => undefined)
