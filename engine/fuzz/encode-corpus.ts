/**
 * Encodes pictures with every installed JPEG encoder, for jpeg-corpus.ts:
 *
 *   node engine/fuzz/encode-corpus.ts OUT PICTURE…
 *
 * Debian's packages: libjpeg-turbo-progs imagemagick graphicsmagick netpbm libvips-tools ffmpeg gimp guetzli
 * jpegoptim python3-pil python3-opencv default-jre. mozjpeg is the one in sharp, Chromium the one that
 * CHROMIUM_PATH names. Missing programs are listed and left out.
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { argv, env } from 'node:process'
import { chromium } from 'playwright-core'
import { sharp } from '../src/node/hardened-sharp.ts'

const PILLOW =
  'from PIL import Image;import sys;Image.open(sys.argv[1]).save(sys.argv[2],quality=int(sys.argv[3]),subsampling=int(sys.argv[4]),progressive=sys.argv[5]=="p",optimize=sys.argv[5]=="o")'
const OPENCV =
  'import cv2,sys;cv2.imwrite(sys.argv[2],cv2.imread(sys.argv[1]),[1,int(sys.argv[3]),2,int(sys.argv[4]),3,int(sys.argv[5]),4,int(sys.argv[6])])'
const JAVA =
  'import javax.imageio.*;import java.io.File;public class Encode{public static void main(String[] a)throws Exception{ImageIO.write(ImageIO.read(new File(a[0])),"jpg",new File(a[1]));}}'
const gimp = (quality: number, subsampling: number, progressive: number, method: number): string =>
  `(let* ((i (car (gimp-file-load 1 "{png}" "x")))(d (car (gimp-image-flatten i))))(file-jpeg-save 1 i d "{out}" "x" ${quality} 0 1 ${progressive} "" ${subsampling} 1 0 ${method})(gimp-quit 0))`

/** File, program, arguments. {ppm}, {png}, {jpg} (libjpeg-turbo, quality 90): picture; {out}: result. */
const recipes: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ...['1x1', '2x1', '1x2', '2x2', '4x1', '1x4'].flatMap(sampling =>
    [
      ['', '-quality', '85'],
      ['-optimised', '-quality', '70', '-optimize'],
      ['-progressive', '-quality', '90', '-progressive'],
      ['-restart-row', '-quality', '80', '-restart', '1'],
      ['-restart-mcus', '-quality', '80', '-restart', '7B', '-progressive'],
      ['-fast', '-quality', '60', '-dct', 'fast'],
    ].map(
      ([name = '', ...args]) =>
        [`cjpeg-${sampling}${name}`, 'cjpeg', ...args, '-sample', sampling, '-outfile', '{out}', '{ppm}'] as const,
    ),
  ),
  ['cjpeg-grey', 'cjpeg', '-grayscale', '-outfile', '{out}', '{ppm}'],
  ['cjpeg-grey-progressive', 'cjpeg', '-grayscale', '-progressive', '-outfile', '{out}', '{ppm}'],
  ['cjpeg-rgb', 'cjpeg', '-rgb', '-outfile', '{out}', '{ppm}'],
  ['cjpeg-arithmetic', 'cjpeg', '-arithmetic', '-outfile', '{out}', '{ppm}'],
  ['cjpeg-mixed-sampling', 'cjpeg', '-sample', '2x2,2x1,2x1', '-outfile', '{out}', '{ppm}'],
  ['cjpeg-uneven-chroma', 'cjpeg', '-sample', '2x2,1x1,2x1', '-outfile', '{out}', '{ppm}'],
  ...[1, 5, 15, 30, 98, 100].map(
    quality => [`cjpeg-quality-${quality}`, 'cjpeg', '-quality', `${quality}`, '-outfile', '{out}', '{ppm}'] as const,
  ),
  ...[
    ['crop', '-crop', '201x133+16+32'],
    ['rotate', '-rotate', '90'],
    ['rotate-trim', '-rotate', '270', '-trim'],
    ['flip', '-flip', 'vertical'],
    ['transpose', '-transpose'],
    ['transverse', '-transverse'],
    ['grey', '-grayscale'],
    ['progressive', '-progressive'],
    ['restart', '-restart', '2'],
    ['optimised', '-optimize'],
    ['wipe', '-wipe', '64x64+32+32'],
  ].map(([name = '', ...args]) => [`jpegtran-${name}`, 'jpegtran', ...args, '-outfile', '{out}', '{jpg}'] as const),
  ...[
    '',
    '-interlace JPEG',
    '-sampling-factor 4:2:2',
    '-sampling-factor 1x2',
    '-colorspace Gray',
    '-define jpeg:optimize-coding=false',
  ].flatMap((options, i) =>
    [50, 92].map(
      quality =>
        [
          `imagemagick-${i}-${quality}`,
          'convert-im6.q16',
          '{png}',
          '-quality',
          `${quality}`,
          ...options.split(' ').filter(Boolean),
          '{out}',
        ] as const,
    ),
  ),
  ['imagemagick-cmyk', 'convert-im6.q16', '{png}', '-colorspace', 'CMYK', '{out}'],
  ['graphicsmagick', 'gm', 'convert', '{png}', '-quality', '80', '{out}'],
  ['graphicsmagick-progressive', 'gm', 'convert', '{png}', '-interlace', 'Line', '-quality', '95', '{out}'],
  ...['yuvj420p', 'yuvj422p', 'yuvj444p', 'yuvj440p', 'gray'].flatMap(format =>
    ['2', '9', '25'].map(
      scale =>
        [
          `ffmpeg-${format}-${scale}`,
          'ffmpeg',
          '-loglevel',
          'error',
          '-y',
          '-i',
          '{png}',
          '-pix_fmt',
          format,
          '-q:v',
          scale,
          '-frames:v',
          '1',
          '{out}',
        ] as const,
    ),
  ),
  [
    'ffmpeg-optimal',
    'ffmpeg',
    '-loglevel',
    'error',
    '-y',
    '-i',
    '{png}',
    '-pix_fmt',
    'yuvj420p',
    '-huffman',
    'optimal',
    '-frames:v',
    '1',
    '{out}',
  ],
  [
    'ffmpeg-default-tables',
    'ffmpeg',
    '-loglevel',
    'error',
    '-y',
    '-i',
    '{png}',
    '-pix_fmt',
    'yuvj420p',
    '-huffman',
    'default',
    '-frames:v',
    '1',
    '{out}',
  ],
  ...[
    [85, 0, 0, 0],
    [90, 2, 1, 0],
    [75, 1, 0, 1],
    [95, 3, 0, 2],
  ].map(
    ([quality = 0, subsampling = 0, progressive = 0, method = 0]) =>
      [
        `gimp-${quality}`,
        'gimp',
        '-i',
        '-d',
        '-f',
        '-b',
        gimp(quality / 100, subsampling, progressive, method),
      ] as const,
  ),
  ['guetzli', 'guetzli', '--quality', '90', '{png}', '{out}'],
  ['jpegoptim', 'jpegoptim', '--stdout', '--strip-none', '-m70', '{jpg}'],
  ['jpegoptim-progressive', 'jpegoptim', '--stdout', '--all-progressive', '-m85', '{jpg}'],
  ['netpbm', 'pnmtojpeg', '-quality=80', '{ppm}'],
  ['netpbm-progressive', 'pnmtojpeg', '-progressive', '-optimize', '-sample=2x1', '{ppm}'],
  ['netpbm-float', 'pnmtojpeg', '-dct=float', '-smooth=20', '-restart=5', '{ppm}'],
  ['vips', 'vips', 'jpegsave', '{png}', '{out}', '--Q', '85'],
  ['vips-progressive', 'vips', 'jpegsave', '{png}', '{out}', '--Q', '60', '--interlace', '--optimize-coding'],
  ['vips-restart', 'vips', 'jpegsave', '{png}', '{out}', '--restart-interval', '4'],
  ...['0', '1', '2'].flatMap(subsampling =>
    ['s', 'p', 'o'].map(
      kind =>
        [
          `pillow-${subsampling}${kind}`,
          '/usr/bin/python3',
          '-c',
          PILLOW,
          '{png}',
          '{out}',
          '82',
          subsampling,
          kind,
        ] as const,
    ),
  ),
  ['opencv', '/usr/bin/python3', '-c', OPENCV, '{png}', '{out}', '90', '0', '0', '0'],
  ['opencv-progressive-restart', '/usr/bin/python3', '-c', OPENCV, '{png}', '{out}', '70', '1', '1', '9'],
  ['java-imageio', 'java', '{java}', '{png}', '{out}'],
]

/** The last line of the error stream, or null on success. Without {out} the output goes to `out`. */
function run(command: string, args: readonly string[], out: string): Promise<string | null> {
  return new Promise(resolve => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.once('error', error => resolve(error.message))
    child.once('close', code => {
      if (code !== 0) resolve(complaint.trim().split('\n').at(-1) ?? `code ${code}`)
      else {
        if (!args.some(argument => argument.includes(out))) writeFileSync(out, Buffer.concat(chunks))
        resolve(null)
      }
    })
  })
}

async function encodeBySharp(png: string, out: string): Promise<void> {
  for (const chromaSubsampling of ['4:2:0', '4:4:4']) {
    for (const quality of [40, 80, 95]) {
      for (const [name, options] of [
        ['sharp', {}],
        ['sharp-progressive', { progressive: true }],
        ['mozjpeg', { mozjpeg: true }],
        ['mozjpeg-sequential', { mozjpeg: true, progressive: false }],
        ['sharp-tables-3', { quantisationTable: 3, trellisQuantisation: true, overshootDeringing: true }],
      ] as const) {
        const bytes = await sharp(await readFile(png))
          .jpeg({ quality, chromaSubsampling, ...options })
          .toBuffer()
        await writeFile(`${out}-${name}-${chromaSubsampling.replaceAll(':', '')}-${quality}.jpg`, bytes)
      }
    }
  }
}

async function encodeByChromium(executablePath: string, pngs: readonly string[], folder: string): Promise<void> {
  await using browser = await chromium.launch({ executablePath, chromiumSandbox: false })
  const page = await browser.newPage()
  for (const png of pngs) {
    const source = `data:image/png;base64,${(await readFile(png)).toString('base64')}`
    for (const quality of [0.3, 0.8, 0.92, 1]) {
      const encoded = await page.evaluate(
        `(async () => { const image = new Image(); image.src = ${JSON.stringify(source)}; await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height); canvas.getContext('2d').drawImage(image, 0, 0);
          const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: ${quality} });
          let text = ''; for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
          return btoa(text) })()`,
      )
      const file = path.join(folder, `${path.basename(png, '.png')}-chromium-${quality * 100}.jpg`)
      await writeFile(file, Buffer.from(String(encoded), 'base64'))
    }
  }
}

const [folder, ...pictures] = argv.slice(2)
if (folder === undefined || pictures.length === 0) throw new Error('Expected a folder and pictures')
await mkdir(folder, { recursive: true })
const temporary = await mkdtemp(path.join(tmpdir(), 'encode-corpus-'))
try {
  const java = path.join(temporary, 'Encode.java')
  await writeFile(java, JAVA)
  const pngs: string[] = []
  const complaints = new Map<string, string>()
  for (const [i, picture] of pictures.entries()) {
    const [png, ppm, jpg] = ['png', 'ppm', 'jpg'].map(kind => path.join(temporary, `${i}.${kind}`))
    if (!png || !ppm || !jpg) throw new Error('A name is missing')
    // odd sizes, so that the last blocks are cut
    const { data, info } = await sharp(await readFile(picture))
      .resize({ width: 403 + 38 * i, withoutEnlargement: true })
      .flatten()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const raw = sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    await raw.clone().png().toFile(png)
    await raw.clone().jpeg({ quality: 90 }).toFile(jpg)
    await writeFile(ppm, Buffer.concat([Buffer.from(`P6\n${info.width} ${info.height}\n255\n`), data]))
    pngs.push(png)
    await encodeBySharp(png, path.join(folder, `${i}`))
    for (const [name, command, ...args] of recipes) {
      const out = path.join(folder, `${i}-${name}.jpg`)
      const filled = args.map(argument =>
        argument
          .replaceAll('{png}', png)
          .replaceAll('{ppm}', ppm)
          .replaceAll('{jpg}', jpg)
          .replaceAll('{java}', java)
          .replaceAll('{out}', out),
      )
      const complaint = await run(command, filled, out)
      if (complaint !== null) complaints.set(name, complaint)
    }
  }
  const browser = env['CHROMIUM_PATH']
  if (browser) await encodeByChromium(browser, pngs, folder)
  else complaints.set('chromium', 'CHROMIUM_PATH is not set')
  for (const [name, complaint] of complaints) console.log(`left out: ${name}: ${complaint}`)
} finally {
  await rm(temporary, { recursive: true })
}
