/** A button that asks for one file. */
import { type ReactNode, useRef } from 'react'
import { Button } from './controls.tsx'

type FilePickerProps = {
  /** Names the hidden input, for programs that drive the page. */
  label: string
  onFile: (file: File) => void
  accept?: string
  className?: string
  look?: 'primary' | 'quiet'
  children: ReactNode
}

export function FilePicker({
  label,
  onFile,
  accept = 'image/jpeg,image/png,image/webp,image/gif',
  className = '',
  look = 'quiet',
  children,
}: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={event => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      <Button look={look} className={className} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}
