/** Ctrl+K: goes to a page or a template by a few letters of its name. */
import './command-palette.css'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { templatesQuery } from '../pages/templates-query.ts'

const TEMPLATES_SHOWN = 8

/** The search waits until nobody has typed for as long. */
const TYPING_MS = 150

type CommandPaletteProps = {
  /** Paths without parameters, and what the navigation calls them. */
  pages: readonly { readonly to: string; readonly label: string }[]
  onClose: () => void
}

type Goal = { readonly key: string; readonly label: string; readonly kind: string; readonly href: string }

export function CommandPalette({ pages, onClose }: CommandPaletteProps) {
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const templates = useInfiniteQuery({
    ...templatesQuery({ search: search || undefined }),
    placeholderData: keepPreviousData,
  })
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const goals: readonly Goal[] = [
    ...pages
      .filter(({ label }) => words.every(word => label.toLowerCase().includes(word)))
      .map(({ to, label }) => ({ key: to, label, kind: 'Page', href: to })),
    ...(templates.data?.pages[0]?.templates.slice(0, TEMPLATES_SHOWN) ?? []).map(template => ({
      key: `template ${template.id}`,
      label: template.name ?? template.id,
      kind: 'Template',
      href: `/templates/${template.id}`,
    })),
  ]
  const chosen = goals[Math.min(at, goals.length - 1)]
  const go = (goal: Goal | undefined) => {
    if (goal === undefined) return
    dialog.current?.close()
    void router.navigate({ href: goal.href })
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
        aria-label="Go to a page or a template"
        aria-expanded="true"
        aria-controls={`${id}-goals`}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.key}`}
        placeholder="A page, or words of a template"
        value={text}
        onChange={event => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={`${id}-goals`} aria-label="Pages and templates" className="palette-goals">
        {goals.map(goal => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names it
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field does it
          <div
            key={goal.key}
            id={`${id}-${goal.key}`}
            role="option"
            aria-selected={goal === chosen}
            className="palette-goal"
            onClick={() => go(goal)}
          >
            {goal.label} <span className="quiet">{goal.kind}</span>
          </div>
        ))}
      </div>
      {goals.length === 0 && <p className="quiet">Nothing has these words.</p>}
    </dialog>
  )
}
