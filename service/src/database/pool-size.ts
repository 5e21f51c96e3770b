/** Connections of one process to PostgreSQL, which allows 100 in total by default. */
export const DEFAULT_POOL_SIZE = 10
