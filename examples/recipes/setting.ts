/** A variable of the environment that the program cannot do without. */
export function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`Expected the environment variable ${name}.`)
  return value
}
