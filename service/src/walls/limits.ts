const DAY_MS = 24 * 3600 * 1000

/** Days of a link's life are counted in these. */
export const WALL_DAY_MS = DAY_MS

/** What an ended wall leaves is kept for the shop to read, then removed. */
export const WALL_KEPT_MS = 30 * DAY_MS

/** Links of one account that work at once. */
export const WALLS_PER_ACCOUNT = 100

/** Answers to one link: a family that changes its mind, and nobody who fills a disk. */
export const ANSWERS_PER_WALL = 50

/** Files that come with answers to one link: at most 200 MiB. */
export const FILES_PER_WALL = 10

/** Files and answers of all links of one account, its own and its customers': strangers fill no disk. */
export const WALL_BYTES_PER_ACCOUNT = 1024 * 1024 * 1024

/** Room for a file is given back after this time where its upload ended with its process. */
export const ROOM_HELD_MS = 60 * 60 * 1000

/** Links on one page of a list. */
export const WALLS_PER_PAGE = 20

/** Answers on one page: ten of 64 KB, which an earlier version took, are below a MiB. */
export const ANSWERS_PER_PAGE = 10

/** Calls to links from one network: a page of 60 scenes makes some 130, most of them once. */
export const WALL_CALLS_PER_MINUTE = 600

/** Answers and files from one network. */
export const WALL_ANSWERS_PER_HOUR = 20

/** Walls that housekeeping removes in one run. */
export const WALLS_PER_RUN = 50
