import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Of the package that runs, for people and for monitoring. */
export const { version: serviceVersion } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))
