/** Where to continue after a payment at Stripe, which leaves these pages; saved for this tab. */
import { ownPathOf } from '../own-path.ts'

const NAME = 'return path'

export function keepReturnPath(path: string | undefined): void {
  if (path === undefined) sessionStorage.removeItem(NAME)
  else sessionStorage.setItem(NAME, path)
}

export const readReturnPath = (): string | undefined => ownPathOf(sessionStorage.getItem(NAME))
