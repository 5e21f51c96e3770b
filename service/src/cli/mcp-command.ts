import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Command } from 'commander'
import { OperatorError } from '../errors/operator-error.ts'
import { createServer } from '../mcp/create-server.ts'
import { FileAccess } from '../mcp/file-access.ts'
import { localSource } from '../mcp/local-source.ts'
import { serviceSource } from '../mcp/service-source.ts'
import { readServiceAddress } from '../settings/process-environment.ts'
import { PrivateFolders } from '../storage/private-folders.ts'
import { addServiceOption, openVitrine, type ServiceOptions } from './service-option.ts'

type Options = ServiceOptions & { readonly root: string }

/** A thumbnail has some hundred kilobytes at most. */
const THUMBNAIL_TIMEOUT_MS = 10_000

export function mcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description('tools for assistants (Model Context Protocol) on standard input and output')
    .option('--root <folder>', 'the only folder whose pictures are read and where mockups are written', '.')
  addServiceOption(command).action(async (options: Options) => {
    const files = await FileAccess.open(options.root).catch((error: unknown) => {
      throw new OperatorError(`The folder ${options.root} cannot be opened.`, { cause: error })
    })
    const address = options.url ?? readServiceAddress()
    const source = address === undefined ? localSource() : serviceSource(openVitrine(options), fetchThumbnail)
    const drafts = await mkdtemp(path.join(os.tmpdir(), 'vitrine-mcp-'))
    const folders = await PrivateFolders.open(drafts)
    const publicUrl = (address ?? 'http://localhost:8080').replace(/\/+$/, '')
    // Standard output is reserved for the protocol.
    const onerror = (error: Error) => process.stderr.write(`vitrine: ${error.message}\n`)
    const handle = serveStdio(() => createServer({ source, files, folders, publicUrl }), { onerror })
    await new Promise<void>(resolve => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
      process.stdin.once('end', () => resolve())
      process.stdin.once('close', () => resolve())
    })
    await handle.close()
    await rm(drafts, { recursive: true, force: true })
  })
}

async function fetchThumbnail(url: string): Promise<Uint8Array | null> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(THUMBNAIL_TIMEOUT_MS) })
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null
}
