/** Everything here runs in Node and in browsers. What needs Node is in `@vitrine/engine/node`. */

export { ArtworkError, type ArtworkErrorReason, artworkErrorReasons } from './artwork/artwork-error.ts'
export type { ArtworkFacts, ArtworkType } from './artwork/artwork-facts.ts'
export { describeFile } from './artwork/describe-file.ts'
export { isSrgbGrey, parseIccProfile, readProfileName, srgbPrimaries } from './artwork/icc-profile.ts'
export { xyzFromLab } from './artwork/icc-table.ts'
export { inspectArtwork } from './artwork/inspect-artwork.ts'
export { srgbFromXyz } from './artwork/linear-profile.ts'
export { buildProfileConversion, type ProfileConversion } from './artwork/profile-conversion.ts'
export { doubles } from './blending/arithmetic.ts'
export {
  type BlendFormula,
  type BlendMode,
  blendModeNames,
  blendModes,
  filledSources,
  fillOf,
  isBlendMode,
  type NonSeparableMode,
  W3C,
} from './blending/blend-modes.ts'
export type {
  Backdrop,
  DecodedArtwork,
  DecodedBy,
  DecodeTarget,
  Extent,
  ImageCodec,
  LayerKind,
  LayerPixmaps,
} from './codec.ts'
export { drawColorArea } from './coloring/draw-color-area.ts'
export { crc32 } from './compression/crc32.ts'
export {
  type Artwork,
  type Artworks,
  decodeArtworks,
  findDecodeTarget,
  findShownDensity,
  type NeedsWhole,
} from './decode-plan.ts'
export { DeclinedError } from './decoding/declined.ts'
export { decodeOurs, type OurDecoders } from './decoding/decode-ours.ts'
export { isDecodedSize } from './decoding/decoded-size.ts'
export { JpegDecoder } from './decoding/jpeg/jpeg-decoder.ts'
export { PngDecoder } from './decoding/png/png-decoder.ts'
export { coversPart } from './decoding/shown-part.ts'
export { WebpDecoder } from './decoding/webp/webp-decoder.ts'
export type { Drawer } from './drawing/drawer.ts'
export { GREATEST_WIDTH_PX, LEAST_MAX_WIDTH_PX, LEAST_WIDTH_PX } from './drawing/width-limits.ts'
export { type EffectPart, partsOfEffect, type ShapedEffect } from './effects/effect-masks.ts'
export { BLUR_REACH } from './effects/filter-artwork.ts'
export { type Deflate, encodePng, type PngPicture } from './encoding/encode-png.ts'
export type { PictureOutput } from './encoding/format-encoders.ts'
export type { AffineMap } from './geometry/affine-map.ts'
export { buildArtworkMap, centredCover, type Placement, type Placements } from './geometry/artwork-placement.ts'
export { distanceToSet } from './geometry/distance-to-set.ts'
export { type Homography, homographyFromQuad, homographyToQuad, invertHomography } from './geometry/homography.ts'
export { findQuadFault, type Point, type Quad, type QuadFault } from './geometry/quad.ts'
export { areaOf, growRect, intersectRects, isSameRect, type Rect, rectOf, uniteRects } from './geometry/rect.ts'
export { hasClearParts, proposePlacement } from './geometry/starting-placement.ts'
export { linearOf, type RgbColor, readHexColor, writeHexColor } from './hex-color.ts'
export { FrameKernel } from './kernels/frame-kernel.ts'
export { encodeLight, type Light, lightChunk } from './lighting/light-chunk.ts'
export { buildLightTable, buildToneTables, linearFromByte, type ToneTables } from './lighting/light-tables.ts'
export { applyTone, decodeSrgb, encodeSrgb, invertTone, type Tone, toneNames } from './lighting/tones.ts'
export { OnDemand } from './on-demand.ts'
export {
  type ColorRanges,
  describeRanges,
  type PreparedRanges,
  prepareRanges,
  type Range,
} from './operations/color-ranges.ts'
export type {
  CoveragePixmap,
  OpaquePixmap,
  PremultipliedPixmap,
  StraightPixmap,
  UvPixmap,
  WidePixmap,
} from './pixmap.ts'
export { composeMockup, type Mockup, Renderer, type RenderJob, type ShownArtwork, type Stage } from './render.ts'
export { type PixelMemory, ReusedMemory } from './reused-memory.ts'
export { cropPixels } from './sampling/crop-pixels.ts'
export type { Pause } from './steps.ts'
export { BundleError, describeFault, type Fault } from './template/bundle-error.ts'
export { type BundleFile, type BundleFiles, isSystemFile } from './template/bundle-files.ts'
export {
  MAX_BUNDLE_PIXELS,
  MAX_BUNDLE_SIZE_BYTES,
  MAX_EFFECT_OFFSET_PX,
  MAX_EFFECTS,
  MAX_SCENE_RATIO,
  MAX_TEMPLATE_MEMORY_BYTES,
  MAX_TEMPLATE_TIME_MS,
} from './template/bundle-limits.ts'
export { checkBundle } from './template/check-bundle.ts'
export { openBundleZip } from './template/open-bundle-zip.ts'
export { parseTemplate } from './template/parse-template.ts'
export { type LitSurface, prepareSurfaces } from './template/prepare-surfaces.ts'
export { type PreparedTemplate, prepareTemplate } from './template/prepare-template.ts'
export { buildPack, openPack, PACK_FORMAT, type PackWidthPx, packWidthsPx } from './template/preview-pack.ts'
export { type ChosenColors, dyedSurface, findColorChanges, recolorTemplate } from './template/recolor-template.ts'
export { type ReducedBundle, type ReducedLayer, reduceTemplate } from './template/reduce-template.ts'
export { slugOf } from './template/slug.ts'
export type { Template } from './template/template.ts'
export {
  describeTemplateCost,
  estimateTemplateCost,
  type FindLayer,
  isTooCostly,
  type TemplateCost,
} from './template/template-cost.ts'
export { addWatermark } from './template/watermark.ts'
export {
  type BundleStore,
  type Described,
  type Json,
  PictureWriter,
  type Raster,
  type RewritableStore,
  regionOf,
  type WrittenFile,
} from './template/write-pictures.ts'
export { buildContentMap, type ContentMap, contentCoverage, placementBounds, slope } from './warp/content-map.ts'
export { applyHomography, type ContentPlacement, contentFromDocument, rectToQuad } from './warp/content-placement.ts'
export { isPlain, type Mesh, meshPoint } from './warp/mesh.ts'
