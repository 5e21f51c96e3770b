import type { Placement, PlacementField } from '@vitrine/contract'

const fitWords = {
  cover: 'fills the frame',
  contain: 'whole inside the frame',
  stretch: 'stretched to the frame',
} as const

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** What a field says in words; null where it says nothing, or where another field says it. */
const wordsOf: { readonly [Field in PlacementField]: (placement: Placement) => string | null } = {
  fit: ({ fit }) => fitWords[fit],
  scale: ({ scale }) => (scale === 1 ? null : `${percent(scale)} of that size`),
  rotation: ({ rotation }) => (rotation === 0 ? null : `turned ${Math.round(rotation * 10) / 10}°`),
  focus: ({ fit, focus: [x, y] }) =>
    fit === 'cover' && (x !== 0.5 || y !== 0.5) ? `about ${percent(x)}, ${percent(y)} of it` : null,
  x: ({ x, y }) => (x === 0.5 && y === 0.5 ? null : `centred at ${percent(x)}, ${percent(y)} of the frame`),
  y: () => null,
  flip: ({ flip }) => (flip === 'none' ? null : `flipped ${flip === 'both' ? 'both ways' : `${flip}ly`}`),
  repeat: ({ repeat }) => (repeat === 'none' ? null : repeat === 'tile' ? 'repeated' : 'repeated, mirrored'),
  background: ({ background }) => (background === null ? null : `on ${background}`),
}

/** Describes a placement to people: what differs from unscaled artwork in the middle. */
export const placementInWords = (placement: Placement): string =>
  Object.values(wordsOf)
    .flatMap(words => words(placement) ?? [])
    .join(', ')
