/**
 * Uses a value that is often available synchronously: from memory, or from SQLite on the calling thread.
 * Creating a promise would cost more than many of these uses.
 */
export function whenKnown<Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(use) : use(value)
}
