import { describeFile } from '../artwork/describe-file.ts'
import { crc32 } from '../compression/crc32.ts'
import { inflateBounded } from '../compression/inflate-bounded.ts'
import { BundleError } from './bundle-error.ts'
import {
  type BundleFile,
  type BundleFiles,
  bundlePath,
  DESCRIPTION_FILE,
  describeTwins,
  findPathFault,
  isSystemFile,
} from './bundle-files.ts'
import { MAX_BUNDLE_FILES, MAX_BUNDLE_SIZE_BYTES } from './bundle-limits.ts'
import { FaultCollector } from './fault-collector.ts'

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_SIZE_BYTES = 22
const ENTRY_SIZE_BYTES = 46
const LOCAL_SIZE_BYTES = 30
const STORED = 0
const DEFLATED = 8
const ENCRYPTED_FLAG = 1
/** file type bits of the Unix mode, which zips store in the upper half of the external attributes */
const TYPE_MASK = 0xf000
const REGULAR_TYPE = 0x8000
const FOLDER_TYPE = 0x4000

type Entry = BundleFile & {
  readonly method: number
  readonly crc: number
  readonly packedSizeBytes: number
  readonly localOffset: number
}

/**
 * Opens a zip of a bundle's folder, with or without the folder's name in its paths, by its central directory
 * (APPNOTE 6.3, section 4.3.12). Throws BundleError with every fault, such as links, paths that leave the
 * folder, encryption, more than 200 MB unpacked; reading rejects if size or checksum differ.
 */
export function openBundleZip(bytes: Uint8Array): BundleFiles {
  const faults = new FaultCollector()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = readDirectory(view, bytes, faults)
  if (faults.hasErrors) throw new BundleError(faults.faults)
  const byPath = new Map(withoutCommonFolder(entries).map(entry => [bundlePath(entry.path), entry]))
  return {
    list: async () => [...byPath].map(([path, { sizeBytes }]) => ({ path, sizeBytes })),
    read: async path => {
      const entry = byPath.get(path)
      if (entry === undefined) throw new Error(`The bundle has no file ${path}.`)
      return unpack(view, bytes, entry)
    },
  }
}

function readDirectory(view: DataView, bytes: Uint8Array, faults: FaultCollector): readonly Entry[] {
  const end = findEnd(view)
  if (end === null) {
    faults.add('', '', 'a zip', describeNoZip(bytes))
    return []
  }
  const count = view.getUint16(end + 10, true)
  if (count > MAX_BUNDLE_FILES) {
    faults.add('', '', `at most ${MAX_BUNDLE_FILES} files`, `${count} files`)
    return []
  }
  const entries: Entry[] = []
  const seen = new Map<string, string>()
  let unpackedSizeBytes = 0
  let offset = view.getUint32(end + 16, true)
  for (let i = 0; i < count; i++) {
    if (offset + ENTRY_SIZE_BYTES > end || view.getUint32(offset, true) !== ENTRY_SIGNATURE) {
      faults.add('', '', 'a sound list of files in the zip', 'damaged data')
      return []
    }
    const nameSizeBytes = view.getUint16(offset + 28, true)
    const nameOffset = offset + ENTRY_SIZE_BYTES
    const nextOffset =
      nameOffset + nameSizeBytes + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true)
    if (nextOffset > end) {
      faults.add('', '', 'a sound list of files in the zip', 'damaged data')
      return []
    }
    const path = decodeName(bytes.subarray(nameOffset, nameOffset + nameSizeBytes))
    const entry = readEntry(view, offset, path, faults)
    offset = nextOffset
    if (entry === null) continue
    const name = bundlePath(entry.path).toLowerCase()
    const twin = seen.get(name)
    if (twin !== undefined)
      faults.add(entry.path, '', 'every name once, upper and lower case being equal', describeTwins(entry.path, twin))
    seen.set(name, entry.path)
    unpackedSizeBytes += entry.sizeBytes
    entries.push(entry)
  }
  if (unpackedSizeBytes > MAX_BUNDLE_SIZE_BYTES) {
    faults.add('', '', 'at most 200 MB unpacked', `${Math.ceil(unpackedSizeBytes / 1024 / 1024)} MB`)
  }
  return entries
}

function describeNoZip(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return 'an empty file'
  const what = describeFile(bytes)?.what ?? 'a zip'
  return what === 'a zip' ? 'a file that is no whole zip' : what
}

/** The end record: the last one whose comment ends exactly at the end of the file. */
function findEnd(view: DataView): number | null {
  const least = Math.max(0, view.byteLength - END_SIZE_BYTES - 65_535)
  for (let offset = view.byteLength - END_SIZE_BYTES; offset >= least; offset--) {
    if (view.getUint32(offset, true) !== END_SIGNATURE) continue
    if (offset + END_SIZE_BYTES + view.getUint16(offset + 20, true) === view.byteLength) return offset
  }
  return null
}

/** One entry of the directory; null for folders, for system files, and on a fault. */
function readEntry(view: DataView, offset: number, path: string | null, faults: FaultCollector): Entry | null {
  if (path === null) {
    faults.add('', '', 'file names in UTF-8', 'another encoding')
    return null
  }
  const type = (view.getUint32(offset + 38, true) >>> 16) & TYPE_MASK
  const sizeBytes = view.getUint32(offset + 24, true)
  const packedSizeBytes = view.getUint32(offset + 20, true)
  const method = view.getUint16(offset + 10, true)
  const isFolder = path.endsWith('/')
  const pathFault = findPathFault(isFolder ? path.slice(0, -1) : path)
  if (pathFault !== null) {
    faults.add(path.slice(0, 100), '', pathFault, JSON.stringify(path.slice(0, 100)))
    return null
  }
  if (type !== 0 && type !== (isFolder ? FOLDER_TYPE : REGULAR_TYPE)) {
    faults.add(path, '', 'a regular file', type === 0xa000 ? 'a link' : 'a special file')
    return null
  }
  if (isFolder || isSystemFile(path)) return null
  if ((view.getUint16(offset + 8, true) & ENCRYPTED_FLAG) !== 0) {
    faults.add(path, '', 'a file that anybody may read', 'an encrypted one')
    return null
  }
  if (method !== STORED && method !== DEFLATED) {
    faults.add(path, '', 'a file stored or deflated', `compression method ${method}`)
    return null
  }
  return {
    path,
    sizeBytes,
    method,
    packedSizeBytes,
    crc: view.getUint32(offset + 16, true),
    localOffset: view.getUint32(offset + 42, true),
  }
}

function decodeName(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Removes the folder's name if all paths begin with it. */
function withoutCommonFolder(entries: readonly Entry[]): readonly Entry[] {
  if (entries.some(entry => entry.path === DESCRIPTION_FILE)) return entries
  const [first] = entries
  const prefix = first === undefined ? '' : first.path.slice(0, first.path.indexOf('/') + 1)
  if (prefix === '' || !entries.every(entry => entry.path.startsWith(prefix))) return entries
  return entries.map(entry => ({ ...entry, path: entry.path.slice(prefix.length) }))
}

function unpack(view: DataView, bytes: Uint8Array, entry: Entry): Uint8Array {
  const { localOffset, packedSizeBytes } = entry
  if (localOffset + LOCAL_SIZE_BYTES > bytes.byteLength || view.getUint32(localOffset, true) !== LOCAL_SIGNATURE) {
    throw damaged(entry.path, 'a sound zip entry', 'damaged data')
  }
  const start =
    localOffset + LOCAL_SIZE_BYTES + view.getUint16(localOffset + 26, true) + view.getUint16(localOffset + 28, true)
  if (start + packedSizeBytes > bytes.byteLength)
    throw damaged(entry.path, 'a whole zip entry', 'one that ends too early')
  const packed = bytes.subarray(start, start + packedSizeBytes)
  const data = entry.method === STORED ? packed : inflateBounded(packed, 'raw', entry.sizeBytes)
  if (data === null || data.byteLength !== entry.sizeBytes) {
    throw damaged(entry.path, `as many bytes as the zip declares (${entry.sizeBytes})`, 'damaged data or another size')
  }
  if (crc32(data) !== entry.crc) throw damaged(entry.path, 'the checksum that the zip declares', 'another')
  return data
}

function damaged(file: string, expected: string, received: string): BundleError {
  return new BundleError([{ file, field: '', expected, received, severity: 'error' }])
}
