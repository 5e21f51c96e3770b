/** What a release reads of the repository's manifests. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

export const root = path.resolve(import.meta.dirname, '../..')

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      license: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
})

/** The packages of the lock file, by their places below the repository. */
export function readLock(): z.infer<typeof lockSchema>['packages'] {
  return lockSchema.parse(readJson('package-lock.json')).packages
}

export function readJson(name: string): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path.join(root, name), 'utf8')))
}

/** The packages that a manifest names, without those of this repository. */
export function packagesOf(
  manifest: string,
  list: 'dependencies' | 'optionalDependencies',
): Readonly<Record<string, string>> {
  const packages = z.record(z.string(), z.string()).parse(readJson(manifest)[list] ?? {})
  return Object.fromEntries(Object.entries(packages).filter(([name]) => !name.startsWith('@vitrine/')))
}
