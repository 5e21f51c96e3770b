/** Connections of one process to PostgreSQL, whose default for all clients is 100. */
export const DEFAULT_POOL_SIZE = 10
