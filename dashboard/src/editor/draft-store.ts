/** Keeps drafts in IndexedDB, with their photos and undo steps: one per account and template. */
import { openStore } from '../browser-store.ts'
import type { History } from './draft.ts'

const store = openStore('vitrine-editor', 4)

/** `what`: a template's id, or a word for what has none yet. */
export const draftKeyOf = (accountId: string, what: string): string => `${accountId}/${what}`

export const loadDraft = (key: string): Promise<History | undefined> => store.read<History>(key)
/** A photo that all the steps share is written once, and is one again when they are read. */
export const saveDraft = (key: string, history: History): Promise<void> => store.write(key, history)
export const forgetDraft = (key: string): Promise<void> => store.remove(key)
