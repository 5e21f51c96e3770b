const table: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc >>> 0
})

/** CRC-32 of ISO 3309, as in zips. Browsers have none, and also check bundles. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (let i = 0; i < bytes.byteLength; i++) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[i] ?? 0)) & 255] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}
