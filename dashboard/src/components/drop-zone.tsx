/** Takes pictures dropped or pasted anywhere on the page, with a button as the alternative. */
import './drop-zone.css'
import { type ReactNode, type Ref, useRef } from 'react'
import { Button } from './controls.tsx'
import { useDroppedFiles, useFilesDragged } from './file-drops.tsx'

const ARTWORK_TYPES = 'image/jpeg,image/png,image/webp,image/gif'

type DropZoneProps = {
  label: string
  multiple?: boolean
  /** Ref of its button. */
  ref?: Ref<HTMLButtonElement>
  onFiles: (files: File[]) => void
  children?: ReactNode
}

export function DropZone({ label, multiple = false, ref, onFiles, children }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const isDragged = useFilesDragged()
  const take = (files: File[]) => {
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1))
  }
  useDroppedFiles('pictures', take)
  return (
    <div className={isDragged ? 'drop-zone drop-zone-over' : 'drop-zone'}>
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
          take([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <Button ref={ref} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </div>
  )
}
