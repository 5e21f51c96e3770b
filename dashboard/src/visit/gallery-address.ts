/** The part of a gallery that its address contains: picks, placements and colours, never artwork. */
import { hexColor, wholePlacementSchema } from '@vitrine/contract'
import { centredCover } from '@vitrine/engine'
import { describePlacement, type PlacementChange } from '@vitrine/live'
import { z } from 'zod'
import type { ProductColors } from '../coloring/product-colors.ts'
import { type GalleryPlacing, nothingPlaced } from './gallery-placing.ts'
import { type Picks, picksInWords, picksOfWords } from './picks.ts'

/** By template id. */
export type GalleryColors = Readonly<Record<string, ProductColors>>

/** The gallery as it is saved for a day. */
export type SavedGallery = { readonly placing: GalleryPlacing; readonly colors: GalleryColors; readonly picks: Picks }

type PlacedAddress = {
  readonly byKind?: Readonly<Record<string, PlacementChange>> | undefined
  readonly own?: Readonly<Record<string, PlacementChange>> | undefined
}

/** Empty fields are left out. */
export type GalleryAddress = {
  /** In the format of `picksInWords`. */
  readonly picks?: string | undefined
  readonly place?: PlacedAddress | undefined
  readonly colors?: GalleryColors | undefined
}

/** Servers and messengers truncate longer ones. */
const ADDRESS_CHARACTERS_MAX = 6000

const change = z
  .record(z.string(), z.unknown())
  .transform((fields): unknown => ({ ...centredCover, ...fields }))
  .pipe(wholePlacementSchema)
  .transform(describePlacement)
const placements = z.record(z.string().max(100), change)
const placedAddress = z.object({ byKind: placements.optional(), own: placements.optional() })
const colorsAddress = z.record(z.string().max(64), z.record(z.string().max(32), hexColor.schema))

/** Reads the gallery's part of an address; invalid values are left out. */
export function galleryAddressOf(raw: Readonly<Record<string, unknown>>): GalleryAddress {
  const place = placedAddress.safeParse(raw['place'])
  const colors = colorsAddress.safeParse(raw['colors'])
  const { picks } = raw
  return {
    ...(typeof picks === 'string' && picks !== '' ? { picks } : {}),
    ...(place.success ? { place: place.data } : {}),
    ...(colors.success ? { colors: colors.data } : {}),
  }
}

export function addressOfGallery({ placing, colors, picks }: SavedGallery): GalleryAddress {
  const described = (placements: GalleryPlacing['byKind']) => {
    const changes = Object.entries(placements).map(([key, placement]) => [key, describePlacement(placement)] as const)
    return changes.length === 0 ? {} : Object.fromEntries(changes)
  }
  const byKind = described(placing.byKind)
  const own = described(placing.own)
  const place = {
    ...(isEmpty(byKind) ? {} : { byKind }),
    ...(isEmpty(own) ? {} : { own }),
  }
  const colored = Object.fromEntries(Object.entries(colors).filter(([, chosen]) => !isEmpty(chosen)))
  const address = {
    picks: picks.length === 0 ? undefined : picksInWords(picks),
    place: isEmpty(place) ? undefined : place,
    colors: isEmpty(colored) ? undefined : colored,
  }
  return encodeURIComponent(JSON.stringify(address)).length <= ADDRESS_CHARACTERS_MAX
    ? address
    : { picks: address.picks, place: undefined, colors: undefined }
}

export function galleryOfAddress({ picks, place, colors }: GalleryAddress): SavedGallery {
  const whole = (changes: Readonly<Record<string, PlacementChange>> = {}) =>
    Object.fromEntries(Object.entries(changes).map(([key, change]) => [key, { ...centredCover, ...change }]))
  return {
    placing: place === undefined ? nothingPlaced : { byKind: whole(place.byKind), own: whole(place.own) },
    colors: colors ?? {},
    picks: picks === undefined ? [] : picksOfWords(picks),
  }
}

const isEmpty = (record: object): boolean => Object.keys(record).length === 0
