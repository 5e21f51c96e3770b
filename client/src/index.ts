export type { Artwork, ArtworkBytes, ArtworkSource } from './artwork.ts'
export {
  type ErrorCode,
  type ErrorDetails,
  isVitrineError,
  type ServiceErrorCode,
  VitrineError,
  type VitrineErrorOf,
} from './errors.ts'
export type { Batch, BatchMockup, Charge, Mockup } from './mockup.ts'
export type * from './types.ts'
export { Vitrine, type VitrineOptions } from './vitrine.ts'
