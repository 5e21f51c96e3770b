/** Named values of any shape, including files, in the browser's IndexedDB. */
import { type IDBPDatabase, openDB } from 'idb'

type BrowserStore = {
  /** The value as this version of the pages wrote it. */
  read<T>(key: string): Promise<T | undefined>
  write(key: string, value: unknown): Promise<void>
  remove(key: string): Promise<void>
  /** All values whose keys have this prefix. */
  readAll<T>(prefix: string): Promise<ReadonlyMap<string, T>>
  removeAll(prefix: string): Promise<void>
}

const STORE_NAME = 'values'

/** Values of an older `version` are dropped: their format is no longer read. */
export function openStore(databaseName: string, version: number): BrowserStore {
  // Stays open: a page that is being closed has no time to open it.
  let connection: Promise<IDBPDatabase> | null = null
  const forget = () => (connection = null)
  const open = (): Promise<IDBPDatabase> => {
    connection ??= openDB(databaseName, version, {
      upgrade(database) {
        for (const name of database.objectStoreNames) database.deleteObjectStore(name)
        database.createObjectStore(STORE_NAME)
      },
      // A newer version of the pages, in another tab, is waiting for this.
      blocking(_current, _blocked, event) {
        forget()
        // This event is dispatched to databases only.
        const database = event.target as IDBDatabase
        database.close()
      },
      terminated: forget,
    })
    connection.catch(forget)
    return connection
  }
  return {
    read: async key => (await open()).get(STORE_NAME, key),
    async write(key, value) {
      await (await open()).put(STORE_NAME, value, key)
    },
    async remove(key) {
      await (await open()).delete(STORE_NAME, key)
    },
    async readAll(prefix) {
      // One transaction, so that keys and values match; both are in the order of the keys.
      const store = (await open()).transaction(STORE_NAME).store
      const range = startingWith(prefix)
      const [keys, values] = await Promise.all([store.getAllKeys(range), store.getAll(range)])
      return new Map(keys.flatMap((key, index) => (typeof key === 'string' ? [[key, values[index]]] : [])))
    },
    async removeAll(prefix) {
      await (await open()).delete(STORE_NAME, startingWith(prefix))
    },
  }
}

const startingWith = (prefix: string): IDBKeyRange => IDBKeyRange.bound(prefix, `${prefix}\uffff`)
