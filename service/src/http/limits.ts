/** Frames that an error names: enough to see what is wrong. Answers stay small whatever a request holds. */
export const NAMED_FRAMES_MAX = 10

/** Connections of one client: a browser opens six, an office behind one address some hundreds. */
export const CLIENT_CONNECTIONS_MAX = 512

/** A connection is unused when nothing came or went for so long: its next request may be on its way. */
export const UNUSED_AFTER_MS = 1000

/** Beyond this share of all connections those that are unused for `CROWDED_KEEP_ALIVE_MS` are closed. */
export const CROWDED_SHARE = 0.5

/** How long a connection may be unused while there are many, in milliseconds. */
export const CROWDED_KEEP_ALIVE_MS = 5000

/** How often the unused connections are looked at, in milliseconds. */
export const CONNECTIONS_CHECK_MS = 1000

/** Connections take at most this share of the descriptors: files, downloads and database have the rest. */
export const DESCRIPTORS_SHARE = 0.5

/** File descriptors where the system does not say how many there are: macOS gives more. */
export const ASSUMED_DESCRIPTORS = 8192
