import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { hasApiKeyForm } from '../../src/api-keys/api-key-format.ts'
import type { DatabaseLocation } from '../../src/database/database.ts'

/** All API keys in a text, with valid checksums. */
export function findKeys(text: string): string[] {
  return [...text.matchAll(/vt_[0-9A-Za-z]{36}/g)].map(([key]) => key).filter(hasApiKeyForm)
}

/**
 * All keys in a service's stored data: the files in its data folder, and every row of its PostgreSQL
 * database.
 */
export async function findStoredKeys({ dataDir, databaseUrl }: DatabaseLocation): Promise<string[]> {
  const inRows = databaseUrl === undefined ? [] : findKeys((await readRows(databaseUrl)).join('\n'))
  return [...(await findKeysInFolder(dataDir)), ...inRows]
}

async function findKeysInFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter(each => each.isFile()))
    found.push(...findKeys(await readFile(path.join(entry.parentPath, entry.name), 'latin1')))
  return found
}

async function readRows(databaseUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const tables = await client.query(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    )
    const rows: string[] = []
    for (const { name } of z.array(z.object({ name: z.string() })).parse(tables.rows)) {
      const read = await client.query(`select row::text as text from ${name} as row`)
      rows.push(
        ...z
          .array(z.object({ text: z.string() }))
          .parse(read.rows)
          .map(({ text }) => text),
      )
    }
    return rows
  } finally {
    await client.end()
  }
}
