export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/** Sends mail in the background. Without a mail server, mails are written to the operator's log. */
export type Mailer = { readonly sendsMail: boolean; send(mail: Mail): Promise<void> }

const TIMEOUT_MS = 15_000

export async function createMailer({
  smtpUrl,
  from,
  showOperator,
  onFailure,
  onUnusable,
}: {
  smtpUrl: string | undefined
  from: string | undefined
  showOperator: (mail: Mail) => void
  onFailure: (error: unknown, mail: Mail) => void
  /** Called if the server cannot be reached at the start, or rejects the user. */
  onUnusable: (error: unknown) => void
}): Promise<Mailer> {
  if (smtpUrl === undefined) {
    return {
      sendsMail: false,
      send: mail => {
        showOperator(mail)
        return Promise.resolve()
      },
    }
  }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  transport.verify().catch(onUnusable)
  return {
    sendsMail: true,
    send(mail) {
      // Not awaited: its time or failure would reveal which addresses have an account.
      transport.sendMail({ from, ...mail }).catch((error: unknown) => onFailure(error, mail))
      return Promise.resolve()
    },
  }
}
