const signature = [137, 80, 78, 71, 13, 10, 26, 10] as const

/** CRC-32 of bytes, continuing from an earlier value (initially 0): the signature of Node's zlib.crc32. */
export type Crc32 = (bytes: Uint8Array, value: number) => number

/** Bytes before the pixel data: signature, IHDR, and length and type of the single IDAT. */
export const PNG_HEAD_BYTES = 8 + 25 + 8

/** Bytes after it: IDAT's checksum and IEND. */
export const PNG_TAIL_BYTES = 4 + 12

/** Writes everything around the data at PNG_HEAD_BYTES: 8-bit RGB, no colour chunks, which means sRGB. */
export function closePng(file: Uint8Array<ArrayBuffer>, widthPx: number, heightPx: number, crc32: Crc32): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const putText = (at: number, text: string): void => {
    for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i))
  }
  file.set(signature)
  view.setUint32(8, 13)
  putText(12, 'IHDR')
  view.setUint32(16, widthPx)
  view.setUint32(20, heightPx)
  file.set([8, 2, 0, 0, 0], 24)
  view.setUint32(29, crc32(file.subarray(12, 29), 0))
  const dataEnd = file.length - PNG_TAIL_BYTES
  view.setUint32(33, dataEnd - PNG_HEAD_BYTES)
  putText(37, 'IDAT')
  view.setUint32(dataEnd, crc32(file.subarray(37, dataEnd), 0))
  view.setUint32(dataEnd + 4, 0)
  putText(dataEnd + 8, 'IEND')
  view.setUint32(dataEnd + 12, crc32(file.subarray(dataEnd + 8, dataEnd + 12), 0))
}
