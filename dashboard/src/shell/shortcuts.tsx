/** The list of keyboard shortcuts: those that work everywhere, and those in the gallery's scenes. */
import './shortcuts.css'
import { Fragment } from 'react'
import { Dialog } from '../components/dialog.tsx'

/** Keys, pressed together or as alternatives, and what they do. */
type Shortcut = readonly [keys: readonly string[], does: string]

const sceneShortcuts: readonly Shortcut[] = [
  [['←', '→', '↑', '↓'], 'Go to another scene'],
  [['Tab'], 'Go to its pick, its page and its star, then to the next scene'],
  [['Space'], 'Pick it'],
  [['Enter'], 'Open it'],
  [['Shift', '←'], 'Move the artwork, by any arrow'],
  [['+', '−'], 'Scale it'],
  [['F', 'C', 'R'], 'Fit, fill, turn'],
  [['0'], 'Reset it'],
  [['Alt', 'R'], 'With any of these: in this scene only'],
]

type ShortcutsProps = {
  /** The pages that `g` and a letter open. */
  pages: readonly { readonly label: string; readonly shortcut?: string }[]
  onClose: () => void
}

export function Shortcuts({ pages, onClose }: ShortcutsProps) {
  const everywhere: readonly Shortcut[] = [
    [['Ctrl', 'K'], 'Go to a page, a template, a tag or a key'],
    [['/'], 'Search on this page'],
    ...pages.flatMap(({ shortcut, label }) => (shortcut === undefined ? [] : [[['g', shortcut], label] as const])),
    [['?'], 'This list'],
  ]
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <ShortcutList shortcuts={everywhere} />
      <h3>In a scene with your artwork</h3>
      <ShortcutList shortcuts={sceneShortcuts} />
    </Dialog>
  )
}

function ShortcutList({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  return (
    <dl className="shortcuts">
      {shortcuts.map(([keys, does]) => (
        <Fragment key={does}>
          <dt>
            {keys.map(key => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
