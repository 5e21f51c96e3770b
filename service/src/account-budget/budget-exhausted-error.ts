/** The budgets of an account that refuse requests, as the metrics name them. */
export const accountBudgets = ['admitted', 'arriving', 'received_bytes', 'unpaid_time', 'dashboard_calls'] as const

export type AccountBudgetName = (typeof accountBudgets)[number]

/** An account has used up a budget. It may try again after these whole seconds. */
export class BudgetExhaustedError extends Error {
  override readonly name = 'BudgetExhaustedError'
  readonly budget: AccountBudgetName
  readonly retryAfterS: number

  constructor(budget: AccountBudgetName, retryAfterS: number) {
    super(`The account has used up its budget: ${budget}`)
    this.budget = budget
    this.retryAfterS = retryAfterS
  }
}
