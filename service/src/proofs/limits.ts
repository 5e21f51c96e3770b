/** A day of a link's life. */
export const PROOF_DAY_MS = 24 * 3600 * 1000

/** For so long after a link's end the shop can read its answers; then it is removed. */
export const PROOF_RETAINED_MS = 30 * PROOF_DAY_MS

/** Links of one account that work at once. */
export const PROOFS_PER_ACCOUNT = 100

/** Answers to one link: enough for a family that changes its mind, too few to fill a disk. */
export const ANSWERS_PER_PROOF = 50

/** Files that come with answers to one link: at most 200 MiB. */
export const FILES_PER_PROOF = 10

/** Files and answers of all links of an account, its customers' too: strangers must not fill the disk. */
export const PROOF_BYTES_PER_ACCOUNT = 1024 * 1024 * 1024

/** Room for a file whose upload ended with its process is given back after this time. */
export const ROOM_HELD_MS = 60 * 60 * 1000

/** Links on one page of a list. */
export const PROOFS_PER_PAGE = 20

/** Answers on one page: ten of 64 KB, which an earlier version took, are below a MiB. */
export const ANSWERS_PER_PAGE = 10

/** Calls to links from one network: a page of 60 scenes makes some 130, most of them once. */
export const PROOF_CALLS_PER_MINUTE = 600

/** Answers and files from one network. */
export const PROOF_ANSWERS_PER_HOUR = 20

/** Links that housekeeping removes in one run. */
export const PROOFS_PER_RUN = 50
