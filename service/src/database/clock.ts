/** The time in milliseconds since 1970. Injected, so that tests need not wait. */
export type Clock = () => number
