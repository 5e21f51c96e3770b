/** Frames that an error lists, so that error bodies stay small whatever a request holds. */
export const NAMED_FRAMES_MAX = 10

/** Connections per client: a browser opens six, an office behind one address some hundreds. */
export const CLIENT_CONNECTIONS_MAX = 512

/** A connection is idle after this long without traffic. Until then its next request may be on its way. */
export const UNUSED_AFTER_MS = 1000

/** Above this share of all connections, those idle for `CROWDED_KEEP_ALIVE_MS` are closed. */
export const CROWDED_SHARE = 0.5

/** How long a connection may be idle when there are many, in milliseconds. */
export const CROWDED_KEEP_ALIVE_MS = 5000

/** Interval between checks for idle connections, in milliseconds. */
export const CONNECTIONS_CHECK_MS = 1000

/** The largest share of file descriptors for connections: files, downloads and the database need the rest. */
export const DESCRIPTORS_SHARE = 0.5

/** Assumed limit of file descriptors where the system does not report it; macOS allows more. */
export const ASSUMED_DESCRIPTORS = 8192
