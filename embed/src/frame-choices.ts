/** Choices for the frames of a template, by the same rules as in a request. */

import type { Frame } from './element-types.ts'

/** A choice for all frames, and choices by key: an index from 0, which takes precedence, or a slot. */
export type FrameChoices<Choice> = { readonly all: Choice; readonly byKey: Readonly<Record<string, Choice>> }

/** The key of frames that are placed together: their slot, or the index of a frame without one. */
export const keyOf = ({ index, slot }: Frame): string => slot ?? String(index)

/** Each key once, in the order of the frames. */
export const keysOf = (frames: readonly Frame[]): readonly string[] => [...new Set(frames.map(keyOf))]

/** The choices by frame. */
export function choicesOf<Choice>({ all, byKey }: FrameChoices<Choice>, frames: readonly Frame[]): readonly Choice[] {
  return frames.map(frame => byKey[frame.index] ?? byKey[keyOf(frame)] ?? all)
}

/** Replaces the choice for a key; `null` replaces those for all frames and removes the others. */
export function choose<Choice>(
  { all, byKey }: FrameChoices<Choice>,
  key: string | null,
  choice: Choice,
  frames: readonly Frame[],
): FrameChoices<Choice> {
  if (key === null) return { all: choice, byKey: {} }
  const named = frames.filter(frame => keyOf(frame) === key).map(({ index }) => String(index))
  const others = Object.entries(byKey).filter(([name]) => name !== key && !named.includes(name))
  return { all, byKey: { ...Object.fromEntries(others), [key]: choice } }
}

/** Removes keys that name no frame of the template, and returns them. */
export function knownChoices<Choice>(
  { all, byKey }: FrameChoices<Choice>,
  frames: readonly Frame[],
): { readonly choices: FrameChoices<Choice>; readonly unknown: readonly string[] } {
  const names = new Set(frames.flatMap(frame => [String(frame.index), keyOf(frame)]))
  const entries = Object.entries(byKey)
  return {
    choices: { all, byKey: Object.fromEntries(entries.filter(([name]) => names.has(name))) },
    unknown: entries.flatMap(([name]) => (names.has(name) ? [] : name)),
  }
}

/** The first key with a separate choice, if there are several frames: it is selected initially. */
export function firstNamed(frames: readonly Frame[], all: readonly FrameChoices<unknown>[]): string | null {
  const [first = null, ...others] = keysOf(frames)
  const isNamed = all.some(choices => Object.keys(knownChoices(choices, frames).choices.byKey).length > 0)
  return others.length > 0 && isNamed ? first : null
}

/** If `all` is null, frames start with `starts`, in order, until something is chosen for all. */
export function begun<Choice>(
  { all, byKey }: FrameChoices<Choice | null>,
  frames: readonly Frame[],
  starts: readonly Choice[],
  otherwise: Choice,
): FrameChoices<Choice> {
  const chosen = Object.entries(byKey).flatMap(([key, choice]) => (choice === null ? [] : [[key, choice] as const]))
  const [first = otherwise] = starts
  if (all !== null || starts.every(start => start === first))
    return { all: all ?? first, byKey: Object.fromEntries(chosen) }
  const own = frames.flatMap((frame, index) => {
    const isChosen = chosen.some(([key]) => key === String(frame.index) || key === keyOf(frame))
    return isChosen ? [] : [[String(frame.index), starts[index] ?? otherwise] as const]
  })
  return { all: otherwise, byKey: Object.fromEntries([...own, ...chosen]) }
}
