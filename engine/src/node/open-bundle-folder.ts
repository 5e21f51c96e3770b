import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import path from 'node:path'
import { BundleError } from '../template/bundle-error.ts'
import {
  type BundleFile,
  type BundleFiles,
  bundlePath,
  describeTwins,
  findPathFault,
  isSystemFile,
} from '../template/bundle-files.ts'
import { MAX_BUNDLE_FILES, MAX_BUNDLE_SIZE_BYTES } from '../template/bundle-limits.ts'
import { FaultCollector } from '../template/fault-collector.ts'

/**
 * A bundle in a folder. Throws BundleError with every fault: links and special files (which could lead
 * outside the folder), names that a zip cannot hold, more than 200 MB. A link that replaces a file after the
 * listing is refused when it is read. Throws Node's errors if the folder cannot be read.
 */
export async function openBundleFolder(directory: string): Promise<BundleFiles> {
  const faults = new FaultCollector()
  const files: BundleFile[] = []
  await collect(directory, '', files, faults)
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  if (files.length > MAX_BUNDLE_FILES) faults.add('', '', `at most ${MAX_BUNDLE_FILES} files`, 'more')
  if (sizeBytes > MAX_BUNDLE_SIZE_BYTES)
    faults.add('', '', 'at most 200 MB', `${Math.ceil(sizeBytes / 1024 / 1024)} MB`)
  const stored = new Map<string, string>()
  for (const { path } of files) {
    const twin = stored.get(bundlePath(path))
    if (twin !== undefined) faults.add(path, '', 'every name once', describeTwins(path, twin))
    stored.set(bundlePath(path), path)
  }
  if (faults.hasErrors) throw new BundleError(faults.faults)
  return {
    list: async () => files.map(({ path, sizeBytes }) => ({ path: bundlePath(path), sizeBytes })),
    read: async name => {
      const known = stored.get(name)
      if (known === undefined) throw new Error(`The bundle has no file ${name}.`)
      await using file = await open(
        path.join(directory, ...known.split('/')),
        constants.O_RDONLY | constants.O_NOFOLLOW,
      )
      return await file.readFile()
    },
  }
}

async function collect(directory: string, prefix: string, files: BundleFile[], faults: FaultCollector): Promise<void> {
  const names = (await readdir(path.join(directory, prefix))).sort()
  for (const name of names) {
    const relative = prefix + name
    if (isSystemFile(relative) || files.length > MAX_BUNDLE_FILES) continue
    const status = await lstat(path.join(directory, relative))
    const pathFault = findPathFault(relative)
    if (pathFault !== null) faults.add(relative, '', pathFault, JSON.stringify(relative))
    else if (status.isDirectory()) await collect(directory, `${relative}/`, files, faults)
    else if (status.isFile()) files.push({ path: relative, sizeBytes: status.size })
    else faults.add(relative, '', 'a regular file', status.isSymbolicLink() ? 'a link' : 'a special file')
  }
}
