import { createHash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import type { PreparedTemplate } from '../template/prepare-template.ts'

/** SHA-256. */
const DIGEST_BYTES = 32

/**
 * A prepared template as the parts of a file: the SHA-256 of name and content, then the content as V8
 * serializes it, with pixels as in memory. `name` identifies its source and versions.
 */
export function packPrepared(prepared: PreparedTemplate, name: string): readonly [digest: Buffer, content: Buffer] {
  const content = serialize(prepared)
  return [digestOf(name, content), content]
}

/**
 * The prepared template of a file; null unless its bytes were packed with this name. Its pixels are views of
 * `file`, which must not change.
 */
export function unpackPrepared(file: Buffer, name: string): PreparedTemplate | null {
  const content = file.subarray(DIGEST_BYTES)
  if (content.length === 0 || !digestOf(name, content).equals(file.subarray(0, DIGEST_BYTES))) return null
  // The digest proves that packPrepared wrote it, from a template of this type.
  return deserialize(content) as PreparedTemplate
}

function digestOf(name: string, content: Buffer): Buffer {
  return createHash('sha256').update(`${name.length} ${name} `).update(content).digest()
}
