/** Mockups on one page of a list: a run at one size, and below 100 KB. */
export const MOCKUPS_PER_PAGE = 100

/** Room for a mockup is given back after this time where its storing ended with its process. */
export const STORING_LOST_MS = 60 * 60 * 1000

/** Mockups that housekeeping removes in one run: each is two deletions in the object storage. */
export const REMOVED_PER_RUN = 1000

/** Mockups that are removed to make room for one: it is about as large as they are. */
export const REPLACED_AT_ONCE = 20

/** A bound that was lowered is enforced within this time; what is stored keeps to it by itself. */
export const TRIM_EVERY_MS = 60 * 60 * 1000

/** More words than anybody types for a mockup. */
export const WORDS_MAX = 8
