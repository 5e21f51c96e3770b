/** Shows the newest visible announcement, and for longer while it is hovered or focused. */
import './toast.css'
import { useEffect, useState } from 'react'
import { asError } from '../as-error.ts'
import { type Announcement, announce, type Undo, useAnnouncement } from './announcer.tsx'
import { Button } from './controls.tsx'

const TOAST_MS = 6_000
/** Long enough to notice a mistake, read the sentence and reach the button. */
const TOAST_WITH_UNDO_MS = 12_000

export function Toast() {
  const announcement = useAnnouncement()
  const [shown, setShown] = useState<Announcement | null>(null)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (announcement.isShown) setShown(announcement)
  }, [announcement])
  useEffect(() => {
    if (shown === null || isHeld) return
    const timer = setTimeout(() => setShown(null), shown.undo === null ? TOAST_MS : TOAST_WITH_UNDO_MS)
    return () => clearTimeout(timer)
  }, [shown, isHeld])
  if (shown === null) return null
  const { sentence, undo } = shown
  const close = () => {
    setHeld(false)
    setShown(null)
  }
  const takeBack = async (action: Undo) => {
    close()
    try {
      await action()
    } catch (failure) {
      announce(asError(failure).message)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only delays hiding; buttons do the rest
    <div
      className="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {/* The live region announces it already. */}
      <span aria-hidden="true">{sentence}</span>
      {undo !== null && (
        <Button className="button-small" onClick={() => void takeBack(undo)}>
          Undo
        </Button>
      )}
      <Button className="button-small" onClick={close}>
        <span aria-hidden="true">×</span>
        <span className="visually-hidden">Hide the message</span>
      </Button>
    </div>
  )
}
