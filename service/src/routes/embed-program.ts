import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { serveText } from '../http/cross-origin.ts'

/** The build of the element for pages of other sites. */
const builtProgram = path.resolve(import.meta.dirname, '../../../embed/dist')

/** The files that a page loads, including those loaded on demand: docs/embed.md. */
const programNames = ['vitrine-mockup.js', 'drawing.js', 'press.js'] as const

/**
 * Serves the element, if it is built, at stable URLs. Browsers cache all files and revalidate them at each
 * load, so that all have the same version.
 */
export async function serveEmbedProgram(scope: FastifyInstance): Promise<void> {
  for (const name of programNames) {
    const program = await readFile(path.join(builtProgram, name), 'utf8').catch(() => null)
    if (program !== null) serveText(scope, `/${name}`, 'text/javascript; charset=utf-8', () => program)
  }
}
