/** A case as another program drew it: the whole scene, RGB. */
export type PeerPicture = {
  readonly program: string
  /** what was varied of its call */
  readonly settings: string
  readonly data: Uint8Array
}

/** The programs in the order of the page's columns. */
export const peerPrograms = [
  'OpenCV linear',
  'OpenCV cubic',
  'OpenCV Lanczos4',
  'ImageMagick EWA',
  'libvips mapim bicubic',
  'sharp affine bicubic',
] as const
