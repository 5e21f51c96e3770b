import type { Placement } from '@vitrine/contract'

const fitWords = {
  cover: 'fills the frame',
  contain: 'whole inside the frame',
  stretch: 'stretched to the frame',
} as const

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Describes a placement to people: what differs from unscaled artwork in the middle. */
export function placementInWords({ fit, focus, scale, rotation, x, y, flip, repeat, background }: Placement): string {
  const [focusX, focusY] = focus
  return [
    fitWords[fit],
    ...(scale === 1 ? [] : [`${percent(scale)} of that size`]),
    ...(rotation === 0 ? [] : [`turned ${Math.round(rotation * 10) / 10}°`]),
    ...(fit === 'cover' && (focusX !== 0.5 || focusY !== 0.5)
      ? [`about ${percent(focusX)}, ${percent(focusY)} of it`]
      : []),
    ...(x === 0.5 && y === 0.5 ? [] : [`centred at ${percent(x)}, ${percent(y)} of the frame`]),
    ...(flip === 'none' ? [] : [`flipped ${flip === 'both' ? 'both ways' : `${flip}ly`}`]),
    ...(repeat === 'none' ? [] : [repeat === 'tile' ? 'repeated' : 'repeated, mirrored']),
    ...(background === null ? [] : [`on ${background}`]),
  ].join(', ')
}
