import {
  type Artworks,
  type BundleFiles,
  type ChosenColors,
  checkBundle,
  composeMockup,
  decodeArtworks,
  describeFault,
  type ImageCodec,
  type OpaquePixmap,
  prepareTemplate,
  recolorTemplate,
} from '@vitrine/engine'

/** The mockup of a bundle that is checked without errors and warnings. */
export async function renderBundle(
  files: BundleFiles,
  artworks: Artworks,
  widthPx: number,
  codec: ImageCodec,
  colors: ChosenColors = new Map(),
): Promise<OpaquePixmap> {
  const { template, faults } = await checkBundle(files, codec)
  if (template === null || faults.length > 0) throw new Error(faults.map(describeFault).join('\n'))
  const base = await prepareTemplate(template, files, widthPx, codec)
  const prepared = await recolorTemplate(base, template, files, colors, codec)
  return composeMockup(prepared, await decodeArtworks(prepared.frames, artworks, codec))
}
