/** Named values of any shape, files among them, in the browser's IndexedDB. */

type BrowserStore = {
  /** What was written, as this version of the pages wrote it. */
  read<T>(key: string): Promise<T | undefined>
  write(key: string, value: unknown): Promise<void>
  remove(key: string): Promise<void>
  /** Everything whose key begins like this. */
  readAll<T>(prefix: string): Promise<ReadonlyMap<string, T>>
  removeAll(prefix: string): Promise<void>
}

const storeName = 'values'

/** Values of an older `version` are dropped: nothing reads their shape any more. */
export function openStore(databaseName: string, version: number): BrowserStore {
  const open = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(databaseName, version)
      request.onupgradeneeded = () => {
        for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name)
        request.result.createObjectStore(storeName)
      }
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('The browser keeps nothing for this page.'))
    })
  const run = async <T>(mode: IDBTransactionMode, action: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const database = await open()
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(storeName, mode)
        const request = action(transaction.objectStore(storeName))
        // Only a transaction that is complete has kept anything.
        transaction.oncomplete = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error ?? new Error('The browser refused to keep this.'))
      })
    } finally {
      database.close()
    }
  }
  return {
    read: key => run('readonly', store => store.get(key)),
    async write(key, value) {
      await run('readwrite', store => store.put(value, key))
    },
    async remove(key) {
      await run('readwrite', store => store.delete(key))
    },
    async readAll(prefix) {
      // Two questions, one order: by key.
      const keys = await run('readonly', store => store.getAllKeys(startingWith(prefix)))
      const values = await run('readonly', store => store.getAll(startingWith(prefix)))
      return new Map(keys.map((key, index) => [typeof key === 'string' ? key : '', values[index]]))
    },
    async removeAll(prefix) {
      await run('readwrite', store => store.delete(startingWith(prefix)))
    },
  }
}

const startingWith = (prefix: string): IDBKeyRange => IDBKeyRange.bound(prefix, `${prefix}\uffff`)
