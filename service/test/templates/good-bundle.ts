import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { goodBundle, goodDescription, jsonBytes, writeBundle } from '../../../engine/test/bundles/make-bundle.ts'

/** Writes a bundle to a new folder, with and without fields of template.json. Returns its path. */
export async function writeGoodBundle(
  folder: string,
  description: Record<string, unknown> = {},
  without: readonly string[] = [],
): Promise<string> {
  const files = await goodBundle()
  const merged: Record<string, unknown> = { ...goodDescription(), ...description }
  for (const name of without) delete merged[name]
  files['template.json'] = jsonBytes(merged)
  const place = await mkdtemp(path.join(folder, 'bundle-'))
  await writeBundle(place, files)
  return place
}
