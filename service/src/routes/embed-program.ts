import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { serveText } from '../http/cross-origin.ts'

/** The build of the element for pages of other sites. */
const builtProgram = path.resolve(import.meta.dirname, '../../../embed/dist')

/** What a page loads, and what that loads when it draws: docs/embed.md. */
const programNames = ['vitrine-mockup.js', 'drawing.js', 'press.js'] as const

/**
 * Serves the element, if it is built, at addresses that stay the same. Browsers keep all parts and ask at
 * each load whether they are the newest, so that all are of one version.
 */
export async function serveEmbedProgram(scope: FastifyInstance): Promise<void> {
  for (const name of programNames) {
    const program = await readFile(path.join(builtProgram, name), 'utf8').catch(() => null)
    if (program !== null) serveText(scope, `/${name}`, 'text/javascript; charset=utf-8', () => program)
  }
}
