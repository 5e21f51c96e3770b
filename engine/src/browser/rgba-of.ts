/** Opaque alpha in a word, as a signed number. */
const OPAQUE = -0x100_0000

/**
 * Converts opaque RGB to RGBA. Four pixels at a time, as 32-bit words: every picture for a canvas passes
 * through here while the pointer moves. Browsers run on little-endian processors. `memory`: overwritten and
 * reused if it is large enough, as allocating is slow.
 */
export function rgbaOf(data: Uint8Array, memory: ArrayBuffer | null = null): Uint8ClampedArray<ArrayBuffer> {
  const sizeBytes = (data.length / 3) * 4
  const isReused = memory !== null && memory.byteLength >= sizeBytes
  const rgba = new Uint8ClampedArray(isReused ? memory : new ArrayBuffer(sizeBytes), 0, sizeBytes)
  const isAligned = data.byteOffset % 4 === 0
  // Signed words: V8 allocates an object for each unsigned one of 2 ** 31 or more.
  const words = new Int32Array(rgba.buffer, 0, sizeBytes / 4)
  const packed = new Int32Array(data.buffer, isAligned ? data.byteOffset : 0, isAligned ? data.length >> 2 : 0)
  const inFours = packed.length - (packed.length % 3)
  for (let i = 0, o = 0; i < inFours; i += 3, o += 4) {
    const first = packed[i] ?? 0
    const second = packed[i + 1] ?? 0
    const third = packed[i + 2] ?? 0
    words[o] = first | OPAQUE
    words[o + 1] = (first >>> 24) | (second << 8) | OPAQUE
    words[o + 2] = (second >>> 16) | (third << 16) | OPAQUE
    words[o + 3] = (third >>> 8) | OPAQUE
  }
  for (let i = inFours * 4, o = (inFours / 3) * 16; i < data.length; i += 3, o += 4) {
    rgba[o] = data[i] ?? 0
    rgba[o + 1] = data[i + 1] ?? 0
    rgba[o + 2] = data[i + 2] ?? 0
    rgba[o + 3] = 255
  }
  return rgba
}
