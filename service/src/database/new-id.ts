import { randomBytes } from 'node:crypto'

export const BASE62_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` random base-62 characters, uniformly distributed (5.95 bits each). */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte. Larger bytes would bias the result.
    for (const byte of randomBytes(length + 8)) {
      if (byte < 248 && text.length < length) text += BASE62_ALPHABET[byte % 62] ?? ''
    }
  }
  return text
}

/** A new unguessable id: the prefix, an underscore and 22 base-62 characters (131 bits). */
export function newId(
  prefix: 'acc' | 'key' | 'res' | 'ent' | 'ins' | 'pay' | 'tpl' | 'pub' | 'prf' | 'ans' | 'psd' | 'mck',
): string {
  return `${prefix}_${randomBase62(22)}`
}
