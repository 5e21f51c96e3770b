/** Keeps drafts in the browser (IndexedDB, photos included), so that nothing is lost by a reload: one per account and template. */
import { openStore } from '../browser-store.ts'
import type { Draft } from './draft.ts'

const store = openStore('vitrine-editor', 2)

/** `what`: a template's id, or a word for what has none yet. */
export const draftKeyOf = (accountId: string, what: string): string => `${accountId}/${what}`

export const loadDraft = (key: string): Promise<Draft | undefined> => store.read<Draft>(key)
export const saveDraft = (key: string, draft: Draft): Promise<void> => store.write(key, draft)
export const forgetDraft = (key: string): Promise<void> => store.remove(key)
