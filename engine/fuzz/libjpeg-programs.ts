import { spawn } from 'node:child_process'

/** RGB (grey is spread), 8 bits. */
export type RgbPicture = { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array }

/** Output of a program of libjpeg-turbo (Debian: libjpeg-turbo-progs); null where it fails or warns. */
function run(command: string, args: readonly string[], input: Uint8Array): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.once('error', reject)
    child.once('close', code => resolve(code === 0 && complaint === '' ? Buffer.concat(out) : null))
    // a program that gives up early stops reading
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** Decoded by djpeg at `eighths`/8 of the size, with the accurate transform and smooth chroma. */
export async function decodeByDjpeg(bytes: Uint8Array, eighths: number): Promise<RgbPicture | null> {
  const pnm = await run('djpeg', ['-dct', 'int', '-pnm', '-scale', `${eighths}/8`], bytes)
  if (pnm === null) return null
  const header = /^P([56])\n(\d+) (\d+)\n255\n/.exec(pnm.toString('latin1', 0, 40))
  if (!header) return null
  const [text, kind, width, height] = header
  const samples = pnm.subarray(text.length)
  const [widthPx, heightPx] = [Number(width), Number(height)]
  if (kind === '6') return { widthPx, heightPx, data: samples }
  const data = new Uint8Array(widthPx * heightPx * 3)
  for (let i = 0; i < data.length; i++) data[i] = samples[Math.floor(i / 3)] ?? 0
  return { widthPx, heightPx, data }
}

/** The same coefficients in progressive scans, or in one sequential one. */
export function transcode(bytes: Uint8Array, kind: 'progressive' | 'sequential'): Promise<Buffer | null> {
  return run('jpegtran', [kind === 'progressive' ? '-progressive' : '-optimize'], bytes)
}
