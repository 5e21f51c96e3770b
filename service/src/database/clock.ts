/** Returns the Unix time in milliseconds. Injected, so that tests need not wait. */
export type Clock = () => number
