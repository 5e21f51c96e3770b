import { limits } from '@vitrine/contract'
import type { ComponentProps } from 'react'
import { Field } from './controls.tsx'

type NewPasswordFieldProps = Pick<ComponentProps<typeof Field>, 'label' | 'help' | 'error'>

/** The field "password" in forms that set a new one. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  return (
    <Field
      name="password"
      type="password"
      autoComplete="new-password"
      minLength={limits.passwordCharactersMin}
      maxLength={limits.passwordCharactersMax}
      required
      {...props}
    />
  )
}
