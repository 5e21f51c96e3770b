import {
  buildProfileConversion,
  isSrgbGrey,
  type ProfileConversion,
  parseIccProfile,
  readProfileName,
} from '@vitrine/engine'

/** What a document's profile tells about its colours. */
export type ColorProfile = {
  /** "converted": to sRGB; "other": its colours are taken as sRGB, but are not, or may not be */
  readonly kind: 'srgb' | 'none' | 'converted' | 'other'
  /** name of another profile; null for sRGB and none */
  readonly name: string | null
  /** of colours that are converted, else null */
  readonly conversion: ProfileConversion | null
}

/** Recognises sRGB by primaries and tone curves, not by name. `bytes`: image resource 1039, or null. */
export function readColorProfile(bytes: Uint8Array | null, isGrey: boolean): ColorProfile {
  if (bytes === null) return { kind: 'none', name: null, conversion: null }
  const profile = parseIccProfile(bytes)
  if (profile === null) return { kind: 'other', name: 'a profile that cannot be read', conversion: null }
  if (profile.isSrgb || isSrgbGrey(profile)) return { kind: 'srgb', name: null, conversion: null }
  const name = readProfileName(profile) || 'a profile without a name'
  const isOfDocument = profile.space === (isGrey ? 'grey' : 'rgb')
  const conversion = isOfDocument ? buildProfileConversion(profile) : null
  return { kind: conversion ? 'converted' : 'other', name, conversion }
}
