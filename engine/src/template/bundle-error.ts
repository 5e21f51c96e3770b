import { DESCRIPTION_FILE } from './bundle-files.ts'

/** An error or warning about a bundle. Warnings are about what its author may not have meant. */
export type Fault = {
  /** path in the bundle; empty for the bundle as a whole */
  readonly file: string
  /** path of the field in template.json, such as `frames[0].corners[2]`; empty if it is about no field */
  readonly field: string
  readonly expected: string
  readonly received: string
  readonly severity: 'error' | 'warning'
}

/** A fault as one sentence: Expected {what} for {where} but received {value}. */
export function describeFault({ file, field, expected, received }: Fault): string {
  const where = field === '' ? file : file === '' || file === DESCRIPTION_FILE ? field : `${field} (${file})`
  return `Expected ${expected}${where === '' ? '' : ` for ${where}`} but received ${received}.`
}

/** The bundle cannot be used. Contains all faults, including warnings; at least one is an error. */
export class BundleError extends Error {
  override readonly name = 'BundleError'
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(
      faults
        .filter(fault => fault.severity === 'error')
        .map(describeFault)
        .join('\n'),
    )
    this.faults = faults
  }
}
