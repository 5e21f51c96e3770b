/** Attempts are counted in windows of 15 minutes: the longest that a person is locked out. */
export const ATTEMPT_WINDOW_S = 15 * 60
export const HOUR_S = 3600

/**
 * Guesses at passwords and codes, and requests for mail. A network is an IPv4 address or an IPv6 /64, a site
 * an IPv4 /24 or an IPv6 /48: a stranger with one site can't use up an account's total.
 */
export const attemptLimits = {
  perAccountAndNetwork: 5,
  perAccountAndSite: 15,
  /** Over all accounts: against trying one password on many. */
  perNetwork: 20,
  perSite: 100,
  /** A browser that has signed in before has a count of its own, which strangers do not use up. */
  perKnownDevice: 10,
  /** How often a stolen session can guess the password, from any number of addresses. */
  perAccountInside: 10,
} as const

/**
 * Beyond the free ones, guesses of unknown browsers at one account are checked one by one with growing
 * delays. NIST SP 800-63B asks for a limit of 100 failures.
 */
export const turnLimits = {
  freeGuesses: 50,
  delayStepMs: 500,
  delayMaxMs: 5_000,
  /** Guesses that would wait longer are refused. */
  waitMaxMs: 10_000,
} as const

/** Per hour. People of one office share an IPv4 address, a provider's customers a site. */
export const signUpLimits = { perNetwork: 10, perSite: 40 } as const

/**
 * Mails per hour that strangers can cause, by recipient and kind. Links are valid for the same time, so that
 * when a mail is dropped the recipient already has a valid link.
 */
export const MAILS_PER_RECIPIENT = 3

/** Confirmation mails per hour that one account can have sent to addresses of its choice. */
export const ADDRESS_CHANGES_PER_ACCOUNT = 5

/** Mails per hour about answers to an account's links: strangers cause them; the page shows all. */
export const ANSWER_MAILS_PER_ACCOUNT = 6
