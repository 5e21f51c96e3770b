import { OperatorError } from '../errors/operator-error.ts'

/** Why the data was not copied, in one sentence for the operator. The target's database is unchanged. */
export class DataMigrationRefusedError extends OperatorError {
  override readonly name = 'DataMigrationRefusedError'
}
