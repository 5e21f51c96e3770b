import type { Random } from '../test/random.ts'

/** A file with a few bytes changed: single bytes, lengths, parts cut, doubled or moved. */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  let out = new Uint8Array(bytes)
  const changes = 1 + random.below(4)
  for (let i = 0; i < changes; i++) out = changeOnce(out, random)
  return out
}

const edges = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]

function changeOnce(bytes: Uint8Array<ArrayBuffer>, random: Random): Uint8Array<ArrayBuffer> {
  const at = random.below(Math.max(1, bytes.length - 4))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (random.below(6)) {
    case 0:
      bytes[at] = random.below(256)
      return bytes
    case 1:
      if (at + 4 <= bytes.length) view.setUint32(at, edges[random.below(edges.length)] ?? 0)
      return bytes
    case 2:
      if (at + 2 <= bytes.length) view.setUint16(at, edges[random.below(edges.length)] ?? 0)
      return bytes
    case 3:
      return bytes.slice(0, at)
    case 4: {
      const part = bytes.slice(at, at + 1 + random.below(200))
      const joined = new Uint8Array(bytes.length + part.length)
      joined.set(bytes.subarray(0, at))
      joined.set(part, at)
      joined.set(bytes.subarray(at), at + part.length)
      return joined
    }
    default:
      bytes.copyWithin(at, random.below(bytes.length), random.below(bytes.length))
      return bytes
  }
}
