/** Ctrl+K: opens a page, template, tag, key or account by a few letters of its name. */
import './command-palette.css'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type Goal, type PalettePage, usePaletteGoals } from './palette-goals.ts'

/** The search is sent after this pause in typing. */
const TYPING_MS = 150

type CommandPaletteProps = {
  pages: readonly PalettePage[]
  /** Returns what was typed while the palette was loading. */
  takeTyped: () => string
  onClose: () => void
}

export function CommandPalette({ pages, takeTyped, onClose }: CommandPaletteProps) {
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  // Once: the function is a new one at each render.
  const taken = useRef(false)
  useEffect(() => {
    if (taken.current) return
    taken.current = true
    setText(takeTyped())
  }, [takeTyped])
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const goals = usePaletteGoals(pages, text, search)
  const chosen = goals[Math.min(at, goals.length - 1)]
  const go = (goal: Goal | undefined) => {
    if (goal === undefined) return
    dialog.current?.close()
    void router.navigate(goal.to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && goals.length > 0) setAt((at + step + goals.length) % goals.length)
    else if (event.key === 'Enter') go(chosen)
    else return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Go to" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Go to a page, a template, a tag or a key"
        aria-expanded="true"
        aria-controls={`${id}-goals`}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
        placeholder="A page, a template, a tag, a key"
        value={text}
        onChange={event => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={`${id}-goals`} aria-label="What was found" className="palette-goals">
        {goals.map(goal => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names it
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field does it
          <div
            key={goal.id}
            id={`${id}-${goal.id}`}
            role="option"
            aria-selected={goal === chosen}
            className="palette-goal"
            onClick={() => go(goal)}
          >
            {goal.label} <span className="quiet">{goal.kind}</span>
          </div>
        ))}
      </div>
      {goals.length === 0 && <p className="quiet">Nothing found.</p>}
    </dialog>
  )
}
