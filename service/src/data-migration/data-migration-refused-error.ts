/** Why the data was not copied, in one sentence for the operator. The target's database is unchanged. */
export class DataMigrationRefusedError extends Error {
  override readonly name = 'DataMigrationRefusedError'
}
