import { ExpectedError } from '../errors/expected-error.ts'

/** The budgets of an account, by their names in metrics. */
export type AccountBudgetName = 'admitted' | 'arriving' | 'received_bytes' | 'unpaid_time' | 'dashboard_calls'

/** An account has used up a budget. It may retry after this many whole seconds. */
export class BudgetExhaustedError extends ExpectedError {
  override readonly name = 'BudgetExhaustedError'
  readonly budget: AccountBudgetName
  readonly retryAfterS: number

  constructor(budget: AccountBudgetName, retryAfterS: number) {
    super(`The account has used up its budget: ${budget}`)
    this.budget = budget
    this.retryAfterS = retryAfterS
  }
}
