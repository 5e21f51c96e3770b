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

const STORE_NAME = 'values'

/** Values of an older `version` are dropped: nothing reads their shape any more. */
export function openStore(databaseName: string, version: number): BrowserStore {
  const connect = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(databaseName, version)
      request.onupgradeneeded = () => {
        for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name)
        request.result.createObjectStore(STORE_NAME)
      }
      request.onsuccess = () => {
        const database = request.result
        // A newer version of the pages, in another tab, waits for this.
        database.onversionchange = () => {
          connection = null
          database.close()
        }
        database.onclose = () => (connection = null)
        resolve(database)
      }
      request.onerror = () => reject(request.error ?? new Error('The browser stores nothing for this page.'))
    })
  // Kept open: a page that is being left has no time to open it.
  let connection: Promise<IDBDatabase> | null = null
  const open = (): Promise<IDBDatabase> => {
    connection ??= connect()
    connection.catch(() => (connection = null))
    return connection
  }
  const run = async <T>(mode: IDBTransactionMode, action: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const database = await open()
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE_NAME, mode)
      const request = action(transaction.objectStore(STORE_NAME))
      // Only a transaction that is complete has kept anything.
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser refused to store this.'))
      transaction.commit()
    })
  }
  const keys = async (prefix: string): Promise<readonly string[]> =>
    (await run('readonly', store => store.getAllKeys(startingWith(prefix)))).filter(key => typeof key === 'string')
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
      const names = await keys(prefix)
      const values = await run('readonly', store => store.getAll(startingWith(prefix)))
      return new Map(names.map((name, index) => [name, values[index]]))
    },
    async removeAll(prefix) {
      await run('readwrite', store => store.delete(startingWith(prefix)))
    },
  }
}

const startingWith = (prefix: string): IDBKeyRange => IDBKeyRange.bound(prefix, `${prefix}\uffff`)
