import { isSrgbGrey, parseIccProfile, readProfileName } from '@vitrine/engine'

/** What a document's profile says of its colours. */
export type ColorProfile = {
  /** "other": its colours are not sRGB, or it cannot be read */
  readonly kind: 'srgb' | 'none' | 'other'
  /** of another profile; null for sRGB and none */
  readonly name: string | null
}

/** Tells sRGB by primaries and tone curves, not by its name. `bytes`: image resource 1039, or null. */
export function readColorProfile(bytes: Uint8Array | null): ColorProfile {
  if (bytes === null) return { kind: 'none', name: null }
  const profile = parseIccProfile(bytes)
  if (profile === null) return { kind: 'other', name: 'a profile that cannot be read' }
  if (profile.isSrgb || isSrgbGrey(profile)) return { kind: 'srgb', name: null }
  return { kind: 'other', name: readProfileName(profile) || 'a profile without a name' }
}
