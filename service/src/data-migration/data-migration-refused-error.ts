/** Why the data was not moved, in one sentence for the operator. The target's database is as it was. */
export class DataMigrationRefusedError extends Error {
  override readonly name = 'DataMigrationRefusedError'
}
