import sharp from 'sharp'
import { type HostileFile, latin1 } from './hostile-file.ts'

/** Files of other types disguised as pictures: none may be passed to its own loader. */
export async function otherFiles(): Promise<HostileFile[]> {
  const red = sharp({ create: { width: 16, height: 16, channels: 3, background: 'red' } })
  const files: readonly (readonly [string, Uint8Array])[] = [
    [
      'svg-that-reads-a-file.png',
      latin1(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100"><image xlink:href="file:///etc/passwd" width="10" height="10"/></svg>',
      ),
    ],
    ['svg-of-a-billion-laughs.svg', latin1(billionLaughs())],
    [
      'script-for-imagemagick.png',
      latin1(
        'push graphic-context\nviewbox 0 0 640 480\nfill \'url(https://127.0.0.1/x.jpg"|id")\'\npop graphic-context\n',
      ),
    ],
    ['pdf.jpg', latin1('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')],
    ['html.jpg', latin1('<!doctype html><script>alert(1)</script>')],
    ['one-byte.png', Buffer.from([0x89])],
    ['text.jpg', latin1('hello')],
    ['zip.png', latin1(`PK\x03\x04${'\0'.repeat(60)}`)],
    ['matrix.png', latin1('3 3\n1 2 3\n4 5 6\n7 8 9\n')],
    ['portable-pixmap.png', latin1('P6 100000 100000 255\n')],
    ['libvips.v.png', Buffer.concat([Buffer.from([0xb6, 0xa6, 0xf2, 0x08]), Buffer.alloc(100, 1)])],
    ['bitmap.png', Buffer.concat([latin1('BM'), Buffer.alloc(60, 1)])],
    ['tiff.png', await red.clone().tiff().toBuffer()],
    ['avif.jpg', await red.clone().avif({ effort: 0 }).toBuffer()],
  ]
  return [
    { name: 'empty.png', bytes: new Uint8Array(), outcome: { refusedFor: 'empty' } },
    ...files.map(([name, bytes]): HostileFile => ({ name, bytes, outcome: 'refused' })),
  ]
}

function billionLaughs(): string {
  const entities = 'bcdefghi'
    .split('')
    .map((letter, index) => `<!ENTITY ${letter} "${`&${String.fromCharCode(97 + index)};`.repeat(10)}">`)
  return `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "aaaaaaaaaa">${entities.join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>&i;</text></svg>`
}
