/** One thing that is wrong with a bundle, or (`warning`) that its maker may not have meant. */
export type Fault = {
  /** path inside the bundle; `template.json` for the description, empty for the bundle as a whole */
  readonly file: string
  /** path of the field inside template.json, as in `frames[0].corners[2]`; empty where no field is to blame */
  readonly field: string
  readonly expected: string
  readonly received: string
  readonly severity: 'error' | 'warning'
}

/** A fault as one sentence: *Expected {what} for {where} but received {value}.* */
export function describeFault({ file, field, expected, received }: Fault): string {
  const place = field === '' ? file : file === '' || file === 'template.json' ? field : `${field} (${file})`
  return `Expected ${expected}${place === '' ? '' : ` for ${place}`} but received ${received}.`
}

/** A bundle cannot be used. Holds every fault that was found, warnings too; at least one is an error. */
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
