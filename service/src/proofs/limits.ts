/** A day of a link's lifetime. */
export const PROOF_DAY_MS = 24 * 3600 * 1000

/** How long after a link's end the shop can read its answers before it is removed. */
export const PROOF_RETAINED_MS = 30 * PROOF_DAY_MS

/** Active links per account. */
export const PROOFS_PER_ACCOUNT = 100

/** Answers per link: enough for a family that changes its mind, too few to fill a disk. */
export const ANSWERS_PER_PROOF = 50

/** Files attached to answers, per link: at most 200 MiB. */
export const FILES_PER_PROOF = 10

/** Files and answers of all links of an account, including its customers'. */
export const PROOF_BYTES_PER_ACCOUNT = 1024 * 1024 * 1024

/** Reserved space is released after this time if the upload's process died. */
export const ROOM_HELD_MS = 60 * 60 * 1000

/** Links per page of a list. */
export const PROOFS_PER_PAGE = 20

/** Answers per page: below a MiB. */
export const ANSWERS_PER_PAGE = 10

/** Calls to links per network: a page of 60 scenes makes some 130, most of them once. */
export const PROOF_CALLS_PER_MINUTE = 600

/** Answers and files per network. */
export const PROOF_ANSWERS_PER_HOUR = 20

/** Links that housekeeping removes per run. */
export const PROOFS_PER_RUN = 50
