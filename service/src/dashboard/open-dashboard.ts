import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { HttpDeadlines } from '../http/deadlines.ts'
import { createMailer } from '../mails/mailer.ts'
import type { StripeApi } from '../payments/payments.ts'
import type { Services } from '../services.ts'
import type { Settings } from '../settings/load-settings.ts'
import { publicUrlOf } from '../settings/public-url.ts'
import { Attempts } from '../sign-in/attempts.ts'
import { createAuth } from '../sign-in/auth.ts'
import { loadAuthSecret } from '../sign-in/auth-secret.ts'
import { DeviceCookies } from '../sign-in/device-cookies.ts'
import { MailBudget } from '../sign-in/mail-budget.ts'
import { PasswordHasher } from '../sign-in/password-hasher.ts'
import { hasSecureCookies } from '../sign-in/secure-cookies.ts'
import { createSignInLink } from '../sign-in/sign-in-link.ts'
import { SignUpMarks } from '../sign-in/sign-up-marks.ts'
import type { DashboardServices } from './dashboard-services.ts'
import { mailKeyExpiries } from './key-expiry-mails.ts'
import { registerDashboard } from './register-dashboard.ts'

/** Interval of checks for keys that will soon expire. */
const EXPIRY_CHECK_MS = 600_000

/** Adds the dashboard to the service, as configured. */
export async function openDashboard(
  app: FastifyInstance,
  services: Services,
  settings: Settings,
  {
    logger,
    deadlines,
    stripeApi,
  }: { readonly logger: Logger; readonly deadlines: HttpDeadlines; readonly stripeApi?: StripeApi },
): Promise<void> {
  const { origin } = new URL(publicUrlOf(settings))
  if (!hasSecureCookies(origin)) {
    logger.warn(
      { origin },
      'sessions of the dashboard travel unencrypted: put a proxy with https before the service and set PUBLIC_URL',
    )
  }
  const mailer = await createMailer({
    smtpUrl: settings.SMTP_URL,
    from: settings.SMTP_FROM,
    onFailure: (error, { to, subject }) => {
      services.metrics.noteFailedMail()
      logger.error({ err: error, to, subject }, 'a mail could not be sent (SMTP_URL, SMTP_FROM)')
    },
    onUnusable: error => logger.error({ err: error }, 'the mail server (SMTP_URL) cannot be used now'),
    showOperator: ({ to, subject, text }) =>
      logger.warn({ to, subject, text }, 'no mail server is set: give this to the person yourself'),
  })
  const checkExpiries = () =>
    void mailKeyExpiries(services, mailer, origin).catch((error: unknown) =>
      logger.error({ err: error }, 'keys that are about to expire could not be looked for'),
    )
  checkExpiries()
  const expiryLook = setInterval(checkExpiries, EXPIRY_CHECK_MS)
  // No final check: its mails could not be sent any more.
  app.addHook('onClose', async () => clearInterval(expiryLook))
  const secret = await loadAuthSecret({ setting: settings.AUTH_SECRET, dataDir: settings.DATA_DIR })
  const passwords = new PasswordHasher()
  const devices = new DeviceCookies({ origin, secret })
  const mailBudget = new MailBudget(services.rateLimiter, {
    mailsPerHour: settings.MAILS_PER_HOUR,
    onExhausted: kind => logger.error({ kind }, 'a mail was dropped: MAILS_PER_HOUR is reached'),
  })
  const auth = createAuth({
    database: services.database,
    accounts: services.accounts,
    audit: services.audit,
    mailer,
    passwords,
    settings: { origin, secret, signUp: settings.SIGN_UP },
    mayMail: (kind, recipient, cookies) => mailBudget.allows(kind, recipient, devices.read(cookies, recipient)),
  })
  const payments =
    settings.STRIPE_SECRET_KEY === undefined || settings.STRIPE_WEBHOOK_SECRET === undefined
      ? null
      : new (await import('../payments/payments.ts')).Payments(
          services.database,
          services.wallet,
          services.audit,
          {
            secretKey: settings.STRIPE_SECRET_KEY,
            webhookSecret: settings.STRIPE_WEBHOOK_SECRET,
            origin,
            ...(stripeApi === undefined ? {} : { api: stripeApi }),
          },
          {
            clock: services.clock,
            onNotCredited: payment => {
              services.metrics.notePaymentNotCredited()
              logger.error(payment, 'a payment was received but not credited')
            },
          },
        )
  const dashboard: DashboardServices = {
    ...services,
    auth,
    mailer,
    passwords,
    devices,
    marks: new SignUpMarks({ origin, secret }),
    attempts: new Attempts(services.rateLimiter, { signUpsPerHour: settings.SIGN_UPS_PER_HOUR, clock: services.clock }),
    origin,
    deadlines,
    signUp: settings.SIGN_UP,
    signInLink: (account, seconds) => createSignInLink(services, account, { origin, secret, seconds }),
  }
  await registerDashboard(app, dashboard, { payments, deadlines, publicUrl: publicUrlOf(settings) })
}
