import { takeExpiringKeys } from '../api-keys/expiring-keys.ts'
import type { Clock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { Mailer } from '../mails/mailer.ts'

/** Notifies accounts' owners by mail of keys that will soon expire, once for each key. */
export async function mailKeyExpiries(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  mailer: Mailer,
  origin: string,
): Promise<void> {
  // Without a mail server the pages show it, and the notice is sent once there is one.
  if (!mailer.sendsMail) return
  for (const { email, name, display, expiresAtMs } of await takeExpiringKeys(database, clock())) {
    await mailer.send({
      to: email,
      subject: 'An API key ends soon',
      text: `Your API key “${name}” (${display}…) ends on ${new Date(expiresAtMs).toUTCString()}. From then on requests with it are refused.\n\nRotate it before, which makes a key with the same limits: ${origin}/keys`,
    })
  }
}
