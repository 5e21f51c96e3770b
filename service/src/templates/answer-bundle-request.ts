import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  addWatermark,
  BundleError,
  type BundleFiles,
  checkBundle,
  composeMockup,
  decodeArtworks,
  type ImageCodec,
  inspectArtwork,
  type OpaquePixmap,
  openBundleZip,
  packWidthsPx,
  parseTemplate,
  prepareTemplate,
  type ReducedBundle,
  reduceTemplate,
  type Template,
} from '@vitrine/engine'
import {
  createFrameKernel,
  createSharpCodec,
  encodeLayer,
  encodePack,
  loadWatermarkLetters,
  openBundleFolder,
  packPrepared,
} from '@vitrine/engine/node'
import { BundleDigest } from './bundle-digest.ts'
import { FILES_FOLDER, PREPARED_FILE, packName, storedName, THUMBNAIL_FILE } from './bundle-files.ts'
import type {
  BundleReport,
  BundleRequest,
  InspectionRequest,
  LookedAt,
  PackRequest,
  PreparationRequest,
  ReductionRequest,
  TemplateLook,
  TemplateSummary,
} from './bundle-report.ts'
import { DecodedOnce } from './decoded-once.ts'
import { DECODED_ONCE_BYTES } from './limits.ts'
import { outlineFrames } from './template-look.ts'

/** Lists show templates in columns of up to 400 px; twice that stays sharp on high-density screens. */
const THUMBNAIL_WIDTH_PX = 800
const THUMBNAIL_QUALITY = 82
/** Shown blurred until the picture has loaded; a part of every list, so only a few hundred bytes. */
const TINY_WIDTH_PX = 20
const TINY_QUALITY = 50

/** Answers a request about a bundle. It decodes pictures, so only the sandboxed process calls it. */
export function answerBundleRequest(request: BundleRequest): Promise<BundleReport> {
  if (request.kind === 'inspect') return report(request)
  if (request.kind === 'reduce') return reduce(request)
  return request.kind === 'pack' ? pack(request) : prepare(request)
}

async function pack({ from, toFolder, widthPx, watermark }: PackRequest): Promise<BundleReport> {
  const files = collectBeforeRead(await openBundleFolder(from))
  const reduced = await reduceTemplate(files, widthPx, createSharpCodec(), 'coarse')
  const marked = watermark === null ? reduced : addWatermark(reduced, watermark, await loadWatermarkLetters())
  await writePack(marked, widthPx, toFolder)
  return { kind: 'packed' }
}

async function writePack(reduced: ReducedBundle, widthPx: number, toFolder: string): Promise<void> {
  const bytes = await encodePack(reduced, widthPx)
  if (bytes !== null) await writeFile(path.join(toFolder, packName(widthPx)), bytes, { mode: 0o600, flag: 'wx' })
}

/** Prepares a template into a file, as render processes would, and returns the bundle's digest. */
async function prepare({ from, toFolder, widthPx, name }: PreparationRequest): Promise<BundleReport> {
  const files = collectBeforeRead(await openBundleFolder(from))
  const digest = new BundleDigest()
  const paths = (await files.list()).map(file => file.path).sort()
  for (const path of paths) {
    const bytes = await files.read(path)
    digest.addFile(path, bytes.byteLength)
    digest.addBytes(bytes)
  }
  const template = parseTemplate(JSON.parse(new TextDecoder().decode(await files.read('template.json'))))
  const prepared = await prepareTemplate(template, files, widthPx, createSharpCodec(), createFrameKernel())
  await using file = await open(path.join(toFolder, PREPARED_FILE), 'wx', 0o600)
  for (const part of packPrepared(prepared, name)) await file.writeFile(part)
  return { kind: 'prepared', digest: digest.end() }
}

/** Writes a bundle whose pictures have at most the requested width: its description, with files beside it. */
async function reduce({ from, toFolder, widthPx }: ReductionRequest): Promise<BundleReport> {
  const files = collectBeforeRead(await openBundleFolder(from))
  const { description, layers } = await reduceTemplate(files, widthPx, createSharpCodec())
  const write = (name: string, content: string | Uint8Array): Promise<void> =>
    writeFile(path.join(toFolder, name), content, { mode: 0o600, flag: 'wx' })
  await write('template.json', JSON.stringify(description))
  for (const [name, layer] of layers) await write(name, await encodeLayer(layer))
  return { kind: 'reduced' }
}

async function report(request: InspectionRequest): Promise<BundleReport> {
  let once: DecodedOnce
  try {
    const isFolder = (await stat(request.from)).isDirectory()
    const files = isFolder ? await openBundleFolder(request.from) : openBundleZip(await readFile(request.from))
    once = new DecodedOnce(collectBeforeRead(files), createSharpCodec(), DECODED_ONCE_BYTES)
  } catch (error) {
    if (error instanceof BundleError) return { ...nothing, faults: error.faults }
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const reason = isMissing ? 'there is no such folder or file' : 'it is not a folder or file that this user may read'
    return { kind: 'unreadable', message: `The bundle ${request.from} cannot be read: ${reason}` }
  }
  const { files, codec } = once
  const { template, faults, usedPaths, cost: whole } = await checkBundle(files, codec)
  const cost = whole && { timeMs: whole.timeMs, memoryBytes: whole.memoryBytes, widthPx: whole.widthPx }
  if (template === null || request.toFolder === null) {
    return { ...nothing, faults, cost, template: template && summarize(template) }
  }
  const { paths, digest } = await copyFiles(files, usedPaths, path.join(request.toFolder, FILES_FOLDER))
  const { thumbnail, look } = await makeThumbnail(template, files, codec, request.sampleArtwork)
  await writeFile(path.join(request.toFolder, THUMBNAIL_FILE), thumbnail, { mode: 0o600 })
  for (const widthPx of packWidthsPx)
    await writePack(await reduceTemplate(files, widthPx, codec, 'coarse'), widthPx, request.toFolder)
  return { kind: 'looked-at', faults, template: summarize(template), files: paths, digest, look, cost }
}

/** The garbage collector does not see the memory of pictures, which would exceed the memory limit. */
function collectBeforeRead(files: BundleFiles): BundleFiles {
  return {
    list: () => files.list(),
    read: path => {
      globalThis.gc?.()
      return files.read(path)
    },
  }
}

const nothing: LookedAt = {
  kind: 'looked-at',
  faults: [],
  template: null,
  files: [],
  digest: '',
  look: null,
  cost: null,
}

function summarize(template: Template): TemplateSummary {
  return {
    id: template.id,
    name: template.name,
    category: template.category,
    type: template.type,
    surfaceType: template.surfaceType,
    renderMode: template.renderMode,
    blendMode: template.blendMode,
    aspectRatios: template.frames.map(frame => frame.aspectRatio),
    slots: template.frames.some(frame => frame.slot !== null) ? template.frames.map(frame => frame.slot) : [],
    colors: template.colors.map(area => ({ ...area, suggestions: [...area.suggestions] })),
    sharesBundle: template.sharesBundle,
  }
}

/** Copies only the files that the template uses, with numbers as names. */
async function copyFiles(
  files: BundleFiles,
  usedPaths: ReadonlySet<string>,
  toFolder: string,
): Promise<{ paths: string[]; digest: string }> {
  const paths = [...usedPaths].sort()
  const digest = new BundleDigest()
  await mkdir(toFolder, { mode: 0o700 })
  for (const [index, name] of paths.entries()) {
    const bytes = await files.read(name)
    digest.addFile(name, bytes.byteLength)
    digest.addBytes(bytes)
    await writeFile(path.join(toFolder, storedName(index)), bytes, { mode: 0o600 })
  }
  return { paths, digest: digest.end() }
}

/**
 * Makes the thumbnail, of the bundle's own or of the template with the sample artwork, and its blurred
 * placeholder. It is encoded again, since its bytes are served publicly.
 */
async function makeThumbnail(
  template: Template,
  files: BundleFiles,
  codec: ImageCodec,
  sampleArtwork: string,
): Promise<{ thumbnail: Uint8Array; look: TemplateLook }> {
  const kernel = createFrameKernel()
  const { widthPx: sceneWidthPx } = inspectArtwork(await files.read(template.scene))
  // A small scene is not enlarged: its thumbnail would have no more detail.
  const atWidthPx = Math.min(THUMBNAIL_WIDTH_PX, sceneWidthPx)
  const prepared = await prepareTemplate(template, files, atWidthPx, codec, kernel)
  const picture =
    template.thumbnail === null
      ? composeMockup(
          prepared,
          await decodeArtworks(prepared.frames, { bytes: await readFile(sampleArtwork) }, codec),
          kernel,
        )
      : await shrink(await codec.decodeLayer(await files.read(template.thumbnail), 'rgb'), THUMBNAIL_WIDTH_PX, codec)
  const { widthPx, heightPx } = picture
  const tiny = await codec.encode(await shrink(picture, TINY_WIDTH_PX, codec), {
    format: 'jpeg',
    quality: TINY_QUALITY,
  })
  return {
    thumbnail: await codec.encode(picture, { format: 'jpeg', quality: THUMBNAIL_QUALITY }),
    look: {
      widthPx,
      heightPx,
      tiny: Buffer.from(tiny).toString('base64'),
      outlines: outlineFrames(template, prepared, picture, sceneWidthPx),
    },
  }
}

/** Scales a picture down to a width; a smaller picture stays as it is. */
function shrink(picture: OpaquePixmap, toWidthPx: number, codec: ImageCodec): Promise<OpaquePixmap> {
  const scale = Math.min(1, toWidthPx / picture.widthPx)
  const widthPx = Math.max(1, Math.round(picture.widthPx * scale))
  return codec.resize(picture, widthPx, Math.max(1, Math.round(picture.heightPx * scale)))
}
