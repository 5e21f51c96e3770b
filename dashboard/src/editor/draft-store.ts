/** Keeps the draft in the browser (IndexedDB, photo included), so that nothing is lost by a reload. One draft at a time. */
import type { Draft } from './draft.ts'

const databaseName = 'vitrine-editor'
const storeName = 'drafts'
const draftKey = 'current'

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser keeps no drafts.'))
  })
}

async function run<T>(mode: IDBTransactionMode, action: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  try {
    return await new Promise((resolve, reject) => {
      const request = action(database.transaction(storeName, mode).objectStore(storeName))
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('The browser refused to keep the draft.'))
    })
  } finally {
    database.close()
  }
}

export const loadDraft = (): Promise<Draft | undefined> =>
  run<Draft | undefined>('readonly', store => store.get(draftKey))
export const saveDraft = (draft: Draft): Promise<unknown> => run('readwrite', store => store.put(draft, draftKey))
export const forgetDraft = (): Promise<unknown> => run('readwrite', store => store.delete(draftKey))
