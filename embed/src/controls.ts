/** Buttons that do what the pointer does, and the choice of a picture and of colours. */

import { type PlacementChange, type PointerTarget, scaled, turned } from '@vitrine/live'
import type { ColorArea, Colors } from './element-types.ts'
import type { Texts } from './texts.ts'

const STEP = 0.02

type Move = (target: PointerTarget) => PlacementChange
const by =
  (du: number, dv: number): Move =>
  ({ move }) =>
    move([du, dv], [0, 0])

const moves: readonly (readonly [name: keyof Texts, sign: string, move: Move])[] = [
  ['left', '←', by(-STEP, 0)],
  ['right', '→', by(STEP, 0)],
  ['up', '↑', by(0, -STEP)],
  ['down', '↓', by(0, STEP)],
  ['larger', '+', ({ placement }) => scaled(placement, 1.1)],
  ['smaller', '−', ({ placement }) => scaled(placement, 1 / 1.1)],
  ['turnLeft', '⟲', ({ placement }) => turned(placement, -15)],
  ['turnRight', '⟳', ({ placement }) => turned(placement, 15)],
]

type ControlsInput = {
  readonly texts: Texts
  readonly areas: readonly ColorArea[]
  /** The frames or slots that can be placed separately; empty if there is only one. */
  readonly frames: readonly { readonly key: string; readonly label: string; readonly short: string }[]
  /** Null: all frames together. */
  readonly onFrame: (key: string | null) => void
  readonly onMove: (move: Move) => void
  readonly onReset: () => void
  readonly onFile: (file: File) => void
  readonly onColor: (area: string, value: string) => void
}

type ControlsState = {
  readonly colors: Colors
  readonly chosen: string | null
  readonly isMovable: boolean
  readonly isDisabled: boolean
}

export type Controls = {
  readonly root: HTMLElement
  readonly file: HTMLInputElement
  /** Updates the choices shown. The buttons for moving need artwork. */
  readonly update: (state: ControlsState) => void
}

export function buildControls(input: ControlsInput): Controls {
  const { texts, areas, frames, onFrame, onMove, onReset, onFile, onColor } = input
  const root = make('div', { className: 'controls' })
  root.setAttribute('part', 'controls')
  root.setAttribute('role', 'group')
  root.setAttribute('aria-label', texts.controls)
  const file = make('input', { type: 'file', accept: 'image/jpeg,image/png,image/webp,image/gif' })
  file.addEventListener('change', () => {
    const [chosen] = file.files ?? []
    // Allows choosing the same file again.
    file.value = ''
    if (chosen !== undefined) onFile(chosen)
  })
  const label = make('label', { className: 'file' })
  label.append(file, make('span', { textContent: texts.choose }))
  const buttons = moves.map(([name, sign, move]) => {
    const button = make('button', { type: 'button', textContent: sign, title: texts[name] })
    button.setAttribute('aria-label', texts[name])
    button.addEventListener('click', () => onMove(move))
    return button
  })
  const reset = make('button', { type: 'button', textContent: texts.reset })
  reset.addEventListener('click', onReset)
  buttons.push(reset)
  const swatches = areas.map(area => buildSwatches(area, texts, onColor))
  const choice = frames.length === 0 ? null : buildFrameChoice({ texts, frames, onFrame })
  root.append(...(choice === null ? [] : [choice.root]), label, ...buttons, ...swatches)
  return {
    root,
    file,
    update({ colors, chosen, isMovable, isDisabled }) {
      file.disabled = isDisabled
      choice?.update(chosen, isDisabled)
      for (const button of buttons) button.disabled = isDisabled || !isMovable
      for (const input of root.querySelectorAll<HTMLInputElement>('.swatch input')) {
        input.disabled = isDisabled
        const area = areas.find(({ name }) => name === input.name)
        input.checked = input.value === (colors[input.name] ?? area?.default)
      }
    },
  }
}

/** The choice between all frames together and a single one. */
function buildFrameChoice({ texts, frames, onFrame }: Pick<ControlsInput, 'texts' | 'frames' | 'onFrame'>) {
  const root = make('fieldset', {})
  root.append(make('legend', { textContent: texts.frames }))
  const choices = [{ key: null, label: texts.allFrames, short: texts.allFrames }, ...frames].map(
    ({ key, label: text, short }) => {
      const input = make('input', { type: 'radio', name: 'frame' })
      input.addEventListener('change', () => onFrame(key))
      const label = make('label', { className: 'frame' })
      input.setAttribute('aria-label', text)
      label.append(input, make('span', { textContent: short }))
      root.append(label)
      return { key, input }
    },
  )
  return {
    root,
    update(chosen: string | null, isDisabled: boolean) {
      for (const { key, input } of choices) {
        input.disabled = isDisabled
        input.checked = key === chosen
      }
    },
  }
}

function buildSwatches(area: ColorArea, texts: Texts, onColor: ControlsInput['onColor']): HTMLElement {
  const { name, suggestions, default: color } = area
  const isSuggested = suggestions.some(({ value }) => value === color)
  const group = make('fieldset', {})
  group.append(make('legend', { textContent: name }))
  for (const { name: called, value } of isSuggested
    ? suggestions
    : [{ name: texts.asItIs, value: color }, ...suggestions]) {
    const label = make('label', { className: 'swatch', title: called })
    const input = make('input', { type: 'radio', name, value })
    input.setAttribute('aria-label', called)
    input.addEventListener('change', () => onColor(name, value))
    const dot = make('span', {})
    dot.style.backgroundColor = value
    label.append(input, dot)
    group.append(label)
  }
  return group
}

/** Creates an element of the document with properties. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(tag), properties)
}
