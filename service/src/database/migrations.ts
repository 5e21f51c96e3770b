import { initial } from './migrations/initial/initial.ts'
import type { Migration } from './migrations/migration.ts'

/** Every migration, in order. */
export const migrations: readonly Migration[] = [initial]
