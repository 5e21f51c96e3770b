type Change = (bytes: Buffer, random: () => number) => Buffer

const at = (bytes: Buffer, random: () => number): number => Math.floor(random() * bytes.length)

/** Values that often cause errors in parsers. */
const tellingBytes = [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff, 0xd8, 0xda, 0xc2]

const changes: readonly Change[] = [
  function flipBit(bytes, random) {
    const offset = at(bytes, random)
    bytes[offset] = (bytes[offset] ?? 0) ^ (1 << Math.floor(random() * 8))
    return bytes
  },
  function setTellingByte(bytes, random) {
    bytes[at(bytes, random)] = tellingBytes[Math.floor(random() * tellingBytes.length)] ?? 0
    return bytes
  },
  function randomizeRun(bytes, random) {
    const start = at(bytes, random)
    for (let offset = start; offset < Math.min(bytes.length, start + 8); offset += 1) bytes[offset] = random() * 256
    return bytes
  },
  function setNumber(bytes, random) {
    if (bytes.length < 4) return bytes
    bytes.writeUInt32BE(
      [0, 1, 0x7fffffff, 0x80000000, 0xffffffff][Math.floor(random() * 5)] ?? 0,
      Math.floor(random() * (bytes.length - 3)),
    )
    return bytes
  },
  function cut(bytes, random) {
    return bytes.subarray(0, 1 + at(bytes, random))
  },
  function removeRun(bytes, random) {
    const start = at(bytes, random)
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 1 + Math.floor(random() * 40))])
  },
  function repeatRun(bytes, random) {
    const start = at(bytes, random)
    const run = bytes.subarray(start, start + 1 + Math.floor(random() * 200))
    return Buffer.concat([bytes.subarray(0, start), run, run, run, bytes.subarray(start)])
  },
  function swapHalves(bytes, random) {
    const middle = at(bytes, random)
    return Buffer.concat([bytes.subarray(0, Math.min(16, middle)), bytes.subarray(middle), bytes.subarray(16, middle)])
  },
]

/** A copy damaged by one to six changes, half of them in the first 200 bytes, where headers are. */
export function mutate(seedFile: Uint8Array, random: () => number): Buffer {
  let bytes: Buffer = Buffer.from(seedFile)
  const count = 1 + Math.floor(random() * 6)
  for (let index = 0; index < count && bytes.length > 0; index += 1) {
    const change = changes[Math.floor(random() * changes.length)]
    if (change === undefined) continue
    if (random() < 0.5 && bytes.length > 200) {
      bytes = Buffer.concat([change(Buffer.from(bytes.subarray(0, 200)), random), bytes.subarray(200)])
    } else {
      bytes = Buffer.from(change(bytes, random))
    }
  }
  return bytes
}
