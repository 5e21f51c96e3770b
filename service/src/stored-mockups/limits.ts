/** Mockups per page of a list: a run at one size, and below 100 KB. */
export const MOCKUPS_PER_PAGE = 100

/** Reserved space is released after this time if the storing process died. */
export const STORING_LOST_MS = 60 * 60 * 1000

/** Mockups that housekeeping removes per run: each is two deletions in the object storage. */
export const REMOVED_PER_RUN = 1000

/** The most mockups that are removed to make room for one, which is about as large as they are. */
export const REPLACED_AT_ONCE = 20

/** Interval at which a lowered limit is enforced; storing enforces it by itself. */
export const TRIM_EVERY_MS = 60 * 60 * 1000

/** More words than anyone types to search for a mockup. */
export const WORDS_MAX = 8
