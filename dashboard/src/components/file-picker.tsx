/** A button that opens the browser's file chooser. */
import { type ReactNode, useRef } from 'react'
import { Button } from './controls.tsx'

type FilePickerProps = {
  /** Label of the hidden input, for programs that drive the page. */
  label: string
  accept?: string
  className?: string
  look?: 'primary' | 'quiet'
  children: ReactNode
} & ({ onFile: (file: File) => void } | { onFiles: (files: readonly File[]) => void })

export function FilePicker({
  label,
  accept = 'image/jpeg,image/png,image/webp,image/gif',
  className = '',
  look = 'quiet',
  children,
  ...taker
}: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={'onFiles' in taker}
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={event => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          const [first] = files
          if (first === undefined) return
          if ('onFiles' in taker) taker.onFiles(files)
          else taker.onFile(first)
        }}
      />
      <Button look={look} className={className} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}
