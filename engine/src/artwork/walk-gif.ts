import { joinBytes } from '../compression/join-bytes.ts'
import { corruptIn } from './artwork-error.ts'
import type { ContainerFacts } from './artwork-facts.ts'
import type { ByteView } from './byte-view.ts'

const corrupt = corruptIn('GIF')

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9

/**
 * Walks a GIF (GIF89a) to the end of its first frame. The decoder receives that frame on a canvas of its
 * size, as decoders disagree about invalid canvases. As in browsers, the canvas grows to contain the frame.
 */
export function walkGif(view: ByteView): ContainerFacts {
  const { bytes } = view
  const screenWidthPx = view.u16le(6)
  const screenHeightPx = view.u16le(8)
  const screenFlags = view.u8(10)
  let offset = 13
  const globalTable = view.slice(offset, tableSizeBytes(screenFlags))
  offset += globalTable.byteLength
  let control: Uint8Array | null = null

  while (view.u8(offset) === EXTENSION) {
    const label = view.u8(offset + 1)
    const end = skipSubBlocks(view, offset + 2)
    if (label === GRAPHIC_CONTROL && view.u8(offset + 2) === 4 && end - offset === 8)
      control = bytes.subarray(offset, end)
    offset = end
  }
  const block = view.u8(offset)
  if (block !== IMAGE) throw corrupt(block === TRAILER ? 'a frame' : 'a block')

  const leftPx = view.u16le(offset + 1)
  const topPx = view.u16le(offset + 3)
  const widthPx = view.u16le(offset + 5)
  const heightPx = view.u16le(offset + 7)
  const flags = view.u8(offset + 9)
  if (widthPx === 0 || heightPx === 0) throw corrupt('a frame size')
  const localTable = view.slice(offset + 10, tableSizeBytes(flags))
  if (globalTable.byteLength + localTable.byteLength === 0) throw corrupt('a colour table')
  const dataOffset = offset + 10 + localTable.byteLength
  const codeSizeBits = view.u8(dataOffset)
  if (codeSizeBits < 1 || codeSizeBits > 11) throw corrupt('a code size')
  const dataEnd = skipSubBlocks(view, dataOffset + 1)

  const canvasWidthPx = Math.max(screenWidthPx, leftPx + widthPx)
  const canvasHeightPx = Math.max(screenHeightPx, topPx + heightPx)
  const isWhole = leftPx === 0 && topPx === 0 && canvasWidthPx === widthPx && canvasHeightPx === heightPx
  const isTransparent = control !== null && ((control[3] ?? 0) & 1) === 1
  return {
    type: 'gif',
    storedWidthPx: canvasWidthPx,
    storedHeightPx: canvasHeightPx,
    orientation: 1,
    channels: 4,
    colorModel: 'rgb',
    bitsPerChannel: 8,
    hasAlpha: isTransparent || !isWhole,
    isProgressive: (flags & 0x40) !== 0,
    isAnimated: bytes[dataEnd] !== TRAILER && dataEnd < view.sizeBytes,
    profile: null,
    frame: isWhole ? null : { leftPx, topPx, widthPx, heightPx },
    bytesToDecode: joinBytes([
      new TextEncoder().encode('GIF89a'),
      Uint8Array.of(widthPx & 255, widthPx >> 8, heightPx & 255, heightPx >> 8, screenFlags, 0, 0),
      globalTable,
      // disposal 0, no user input, no delay: a still picture only needs the transparent colour
      isTransparent ? Uint8Array.of(EXTENSION, GRAPHIC_CONTROL, 4, 1, 0, 0, control?.[6] ?? 0, 0) : new Uint8Array(0),
      Uint8Array.of(IMAGE, 0, 0, 0, 0, widthPx & 255, widthPx >> 8, heightPx & 255, heightPx >> 8, flags),
      bytes.subarray(offset + 10, dataEnd),
      Uint8Array.of(TRAILER),
    ]),
  }
}

/** Size of the colour table declared by a packed field. */
function tableSizeBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** The offset after a chain of sub-blocks and its terminator. */
function skipSubBlocks(view: ByteView, start: number): number {
  let offset = start
  for (;;) {
    const sizeBytes = view.u8(offset)
    offset += 1 + sizeBytes
    if (sizeBytes === 0) return offset
  }
}
