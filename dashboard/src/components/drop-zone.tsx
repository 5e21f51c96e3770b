/** A place to drop pictures on, with a button for those who don't drag. */
import './drop-zone.css'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from './controls.tsx'

const ARTWORK_TYPES = 'image/jpeg,image/png,image/webp,image/gif'

type DropZoneProps = { label: string; multiple?: boolean; onFiles: (files: File[]) => void; children?: ReactNode }

export function DropZone({ label, multiple = false, onFiles, children }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])]
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the twin of the button inside
    <div
      className={over ? 'drop-zone drop-zone-over' : 'drop-zone'}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
      <input
        ref={input}
        type="file"
        accept={ARTWORK_TYPES}
        multiple={multiple}
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={event => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>{label}</Button>
    </div>
  )
}
