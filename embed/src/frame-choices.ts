/** What is chosen for the frames of a template, by the rules of a request. */

import type { Frame } from './element-types.ts'

/** For all frames, and for those that a key names: an index from 0, or a slot. An index is before a slot. */
export type FrameChoices<Choice> = { readonly all: Choice; readonly byKey: Readonly<Record<string, Choice>> }

/** What the pointer places together: a slot, or a frame without one. */
export const keyOf = ({ index, slot }: Frame): string => slot ?? String(index)

/** Each once, in the order of the frames. */
export const keysOf = (frames: readonly Frame[]): readonly string[] => [...new Set(frames.map(keyOf))]

/** By frame. */
export function choicesOf<Choice>({ all, byKey }: FrameChoices<Choice>, frames: readonly Frame[]): readonly Choice[] {
  return frames.map(frame => byKey[frame.index] ?? byKey[keyOf(frame)] ?? all)
}

/** Another choice for what a key names; `null`: for all, whatever was chosen for some. */
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

/** Without what names no frame of the template, and the names of that. */
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

/** Where something is chosen for some of several frames, what the pointer places first. */
export function firstNamed(frames: readonly Frame[], all: readonly FrameChoices<unknown>[]): string | null {
  const [first = null, ...others] = keysOf(frames)
  const isNamed = all.some(choices => Object.keys(knownChoices(choices, frames).choices.byKey).length > 0)
  return others.length > 0 && isNamed ? first : null
}

/** `all`: null, where frames begin as `starts` says, in their order, until something is chosen for all. */
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
