import { chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort, startChildServer } from './child-server.ts'

const nobody = { uid: 65534, gid: 65534 }

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(file => existsSync(file))

/** Why tests of pgbouncer are skipped here, or false. There is no npm package of it. */
export const pgbouncerIsMissing =
  program === undefined && 'PGBOUNCER LEFT OUT: install it ("apt-get install pgbouncer") to run these tests'

/** pgbouncer in transaction mode in front of a server, with two connections to it per database. */
export async function startPgbouncer(postgresUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = new URL(postgresUrl)
  const ids = process.getuid?.() === 0 ? nobody : undefined
  const directory = mkdtempSync(path.join(os.tmpdir(), 'vitrine-pgbouncer-'))
  const port = await freePort()
  const file = path.join(directory, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  )
  if (ids) for (const each of [directory, file]) chownSync(each, ids.uid, ids.gid)
  const { stop } = await startChildServer({
    command: program ?? 'pgbouncer',
    args: [file],
    ready: /process up/,
    directory,
    stopSignal: 'INT',
    ...(ids && { ids }),
  })
  const url = new URL(postgresUrl)
  url.port = `${port}`
  return { url: url.href, stop }
}
