import { type HostileFile, latin1 } from './hostile-file.ts'

/** One pixel, compressed. */
const pixel = Buffer.from([2, 2, 0x44, 1, 0])

/** GIF files with false sizes, excessive work or missing data. */
export function gifFiles(): HostileFile[] {
  const tooMany = { refusedFor: 'too_many_pixels' }
  const dot = frame(0, 0, 1, 1)
  return [
    { name: 'sound.gif', bytes: gif(1, 1, [dot]), outcome: 'accepted' },
    { name: 'canvas-of-65535.gif', bytes: gif(65_535, 65_535, [dot]), outcome: 'either' },
    { name: 'canvas-of-16000.gif', bytes: gif(16_000, 16_000, [dot]), outcome: 'either' },
    { name: 'canvas-of-7000.gif', bytes: gif(7000, 7000, [dot]), outcome: 'either' },
    {
      name: '100000-frames.gif',
      bytes: gif(
        8,
        8,
        Array.from({ length: 100_000 }, () => frame(0, 0, 1, 1)),
      ),
      outcome: 'accepted',
    },
    {
      name: 'frame-beside-the-canvas.gif',
      bytes: gif(10, 10, [frame(60_000, 60_000, 5000, 5000)]),
      outcome: 'refused',
    },
    { name: 'frame-of-65535-without-canvas.gif', bytes: gif(0, 0, [frame(0, 0, 65_535, 65_535)]), outcome: tooMany },
    { name: 'frame-larger-than-canvas.gif', bytes: gif(10, 10, [frame(0, 0, 60_000, 60_000)]), outcome: 'refused' },
    { name: 'no-frames.gif', bytes: gif(10, 10, []), outcome: 'refused' },
    { name: 'cut.gif', bytes: gif(100, 100, [frame(0, 0, 100, 100)]).subarray(0, 24), outcome: 'refused' },
    {
      name: 'damaged-data.gif',
      bytes: gif(100, 100, [frame(0, 0, 100, 100, Buffer.from([2, 4, 255, 255, 255, 255, 0]))]),
      outcome: 'refused',
    },
    {
      name: 'codes-of-255-bits.gif',
      bytes: gif(10, 10, [frame(0, 0, 10, 10, Buffer.from([255, 2, 0x44, 1, 0]))]),
      outcome: 'refused',
    },
    {
      name: 'script.gif',
      bytes: Buffer.concat([latin1('GIF89a/*'), Buffer.alloc(20), latin1('*/=alert(1)//')]),
      outcome: 'refused',
    },
  ]
}

function gif(widthPx: number, heightPx: number, frames: readonly Buffer[]): Buffer {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(widthPx, 0)
  screen.writeUInt16LE(heightPx, 2)
  screen[4] = 0x80
  const palette = Buffer.from([255, 0, 0, 0, 0, 255])
  return Buffer.concat([latin1('GIF89a'), screen, palette, ...frames, Buffer.from([0x3b])])
}

function frame(left: number, top: number, widthPx: number, heightPx: number, data = pixel): Buffer {
  const head = Buffer.alloc(10)
  head[0] = 0x2c
  head.writeUInt16LE(left, 1)
  head.writeUInt16LE(top, 3)
  head.writeUInt16LE(widthPx, 5)
  head.writeUInt16LE(heightPx, 7)
  return Buffer.concat([head, data])
}
