/** Buttons, links that look like them, and fields. */
import './controls.css'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { announce, announceUnseen } from './announcer.tsx'
import { savedText, saveText } from './saved-text.ts'

type Look = 'primary' | 'quiet' | 'danger'

const classOf = (look: Look): string => `button button-${look}`

export function Button({ look = 'quiet', className = '', ...rest }: ComponentProps<'button'> & { look?: Look }) {
  return <button type="button" className={`${classOf(look)} ${className}`} {...rest} />
}

type SmallButtonProps = Omit<ComponentProps<typeof Button>, 'className' | 'children'> & {
  label: string
  /** What it belongs to, for screen readers. */
  of: string
}

export function SmallButton({ label, of, ...button }: SmallButtonProps) {
  return (
    <Button className="button-small" {...button}>
      {label}
      <span className="visually-hidden"> {of}</span>
    </Button>
  )
}

export function ButtonLink({ look = 'quiet', ...rest }: LinkProps & { look?: Look; children: ReactNode }) {
  return <Link className={classOf(look)} {...rest} />
}

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'ref' | 'onInput'> & {
  label: string
  hideLabel?: boolean
  help?: ReactNode
  error?: string | undefined
  /** `form field`: what is typed is saved over a reload, until the form has been submitted. */
  saveAs?: string
}

/** A labelled input: label above, help below, and under the field an error that says what to do. */
export function Field({ label, hideLabel = false, help, error, saveAs, ...input }: FieldProps) {
  const id = useId()
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const saved = saveAs === undefined ? null : savedText(saveAs)
    if (saved !== null && ref.current !== null) ref.current.value = saved
  }, [saveAs])
  const described = [help !== undefined ? `${id}-help` : '', error !== undefined ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ')
  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <input
        id={id}
        ref={ref}
        aria-invalid={error !== undefined}
        {...(saveAs === undefined ? {} : { onInput: event => saveText(saveAs, event.currentTarget.value) })}
        {...(described === '' ? {} : { 'aria-describedby': described })}
        {...input}
      />
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {help !== undefined && (
        <p className="field-help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

type SelectProps = Omit<ComponentProps<'select'>, 'id'> & {
  label: string
  hideLabel?: boolean
  options: readonly { value: string; label: string }[]
}

export function Select({ label, hideLabel = false, options, ...select }: SelectProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <select id={id} {...select}>
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}

type CheckProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & { onChecked: (checked: boolean) => void }

/** A checkbox with its label. */
export function Check({ onChecked, children, ...input }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" onChange={event => onChecked(event.currentTarget.checked)} {...input} />
      {children}
    </label>
  )
}

type CopyButtonProps = {
  text: string
  what: string
  /** The text after “Copy”. */
  label?: string
  onCopied?: () => void
  /** Copying is the main action of its dialog. */
  isPrimary?: boolean
}

/** Copies a text and reports it, visibly and to screen readers. `what` completes "Copy …". */
export function CopyButton({ text, what, label, onCopied, isPrimary = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      announce(`Could not copy ${what}: select it and copy it by hand.`)
      return
    }
    setCopied(true)
    onCopied?.()
    announceUnseen(`Copied ${what}.`)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <Button onClick={copy} {...(isPrimary ? { look: 'primary' } : { className: 'button-small' })}>
      {copied ? 'Copied' : 'Copy'}
      {label !== undefined && ` ${label}`}
      <span className="visually-hidden"> {label === undefined ? what : `: ${what}`}</span>
    </Button>
  )
}

/** A code snippet with a copy button. */
export function Snippet({ code, what }: { code: string; what: string }) {
  return (
    <div className="snippet">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={what} />
    </div>
  )
}
