import { createTransport } from 'nodemailer'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/** Sends mail; without a mail server, hands it to the operator, whose log then shows the link. */
export type Mailer = { readonly sendsMail: boolean; send(mail: Mail): Promise<void> }

const timeoutMs = 15_000

export function createMailer({
  smtpUrl,
  from,
  showOperator,
}: {
  smtpUrl: string | undefined
  from: string | undefined
  showOperator: (mail: Mail) => void
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
    async send({ to, subject, text }) {
      await transport.sendMail({ from, to, subject, text })
    },
  }
}
