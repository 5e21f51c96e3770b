import { CUBE_SIDE } from '../../kernels/assembly/stack/constants.ts'
import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import type { FaultCollector } from './fault-collector.ts'
import type { LayerUse, UsedFile } from './parse-log.ts'

/** Uses that are lookup tables, not pictures, and have a fixed size. */
const tableSizes: { readonly [Use in LayerUse]: { readonly widthPx: number; readonly heightPx: number } | null } = {
  scene: null,
  thumbnail: null,
  mask: null,
  uvmap: null,
  light: null,
  overlay: null,
  affine: null,
  tables: { widthPx: 256, heightPx: 1 },
  cube: { widthPx: CUBE_SIDE, heightPx: CUBE_SIDE * CUBE_SIDE },
}

/** Adds faults that a picture's header shows before it is decoded. */
export function checkPicture(facts: ArtworkFacts, { path, field, use }: UsedFile, faults: FaultCollector): void {
  const type = facts.type.toUpperCase()
  const size = tableSizes[use]
  if (size !== null) {
    const received = `${describePicture(facts)} of ${facts.widthPx} x ${facts.heightPx} px`
    const isWide = facts.type === 'png' && facts.bitsPerChannel === 16 && facts.colorModel === 'rgb' && !facts.hasAlpha
    if (!isWide || facts.widthPx !== size.widthPx || facts.heightPx !== size.heightPx) {
      faults.add(path, field, `a 16-bit RGB PNG of ${size.widthPx} x ${size.heightPx} px`, received)
    }
  } else if (use === 'affine') {
    if (facts.type !== 'png' || facts.colorModel !== 'rgb' || facts.hasAlpha) {
      faults.add(path, field, 'an RGB PNG of 8 or 16 bits without transparency', describePicture(facts))
    }
  } else if (use === 'uvmap') {
    if (facts.type !== 'png' || facts.bitsPerChannel !== 16 || facts.colorModel !== 'rgb') {
      faults.add(path, field, 'a 16-bit RGB or RGBA PNG (8 bits err by pixels)', describePicture(facts))
    }
  } else {
    if (facts.type === 'gif') faults.add(path, field, 'a JPEG, PNG or WebP picture', `a ${type}`)
    if (facts.colorModel === 'cmyk') faults.add(path, field, 'an sRGB picture', 'a CMYK one')
    if (facts.bitsPerChannel === 16) {
      const message = 'a picture of 8 bits a channel'
      if (use === 'mask') faults.add(path, field, message, 'one of 16 bits')
      else faults.warn(path, field, message, 'one of 16 bits, which is read as 8')
    }
  }
  if (facts.orientation !== 1) {
    faults.add(path, field, 'an upright picture (EXIF orientation 1)', `one with EXIF orientation ${facts.orientation}`)
  }
  if (facts.isAnimated) faults.warn(path, field, 'a still picture', 'an animation, of which the first frame is used')
  if (facts.profile !== null && use !== 'uvmap' && use !== 'mask' && !facts.profile.isSrgb) {
    faults.warn(path, field, 'an sRGB picture', 'one with another colour profile, which is not applied')
  }
  if (facts.hasAlpha && (use === 'scene' || use === 'light' || use === 'mask')) {
    faults.warn(path, field, 'a picture without transparency', 'one with an alpha channel, which is not used')
  }
}

function describePicture(facts: ArtworkFacts): string {
  const model = facts.colorModel === 'grey' ? 'grey' : facts.colorModel === 'rgb' ? 'RGB' : 'CMYK'
  return `${facts.bitsPerChannel === 8 ? 'an 8' : 'a 16'}-bit ${model} ${facts.type.toUpperCase()}`
}
