/** The engine's edge: everything here runs in Node, a worker process and a browser. What needs Node is in `@vitrine/engine/node`. */
export { type BlendMode, blendModeNames, blendModes, isBlendMode } from './blending/blend-modes.ts'
export type { DecodedArtwork, DecodeTarget, ImageCodec, LayerKind, LayerPixmaps, OutputFormat } from './codec.ts'
export { findQuadFault, type Point, type Quad, type QuadFault } from './geometry/quad.ts'
export { type Tone, toneNames } from './lighting/tones.ts'
export type { CoveragePixmap, OpaquePixmap, PremultipliedPixmap, StraightPixmap, UvPixmap } from './pixmap.ts'
export {
  type Artworks,
  composeMockup,
  findDecodeTarget,
  type Mockup,
  type RenderJob,
  renderMockup,
  type Stage,
} from './render.ts'
export {
  GREATEST_WIDTH_PX,
  LEAST_WIDTH_PX,
  type PreparedTemplate,
  prepareTemplate,
} from './template/prepare-template.ts'
export type { Template } from './template/template.ts'
