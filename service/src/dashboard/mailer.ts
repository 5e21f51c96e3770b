import { createTransport } from 'nodemailer'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/** Sends mail in the background; without a mail server, hands it to the operator, whose log then shows the link. */
export type Mailer = { readonly sendsMail: boolean; send(mail: Mail): Promise<void> }

const timeoutMs = 15_000

export function createMailer({
  smtpUrl,
  from,
  showOperator,
  onFailure,
}: {
  smtpUrl: string | undefined
  from: string | undefined
  showOperator: (mail: Mail) => void
  onFailure: (error: unknown, mail: Mail) => void
}): Mailer {
  if (smtpUrl === undefined) {
    return {
      sendsMail: false,
      send: mail => {
        showOperator(mail)
        return Promise.resolve()
      },
    }
  }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  return {
    sendsMail: true,
    send(mail) {
      // Not awaited: how long it takes, or that it fails, would tell a stranger which addresses have an account.
      transport.sendMail({ from, ...mail }).catch((error: unknown) => onFailure(error, mail))
      return Promise.resolve()
    },
  }
}
