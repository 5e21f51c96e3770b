import type { Fault } from './bundle-error.ts'

/** Collects faults, so that authors see all of them at once. */
export class FaultCollector {
  readonly #faults: Fault[] = []

  get faults(): readonly Fault[] {
    return this.#faults
  }

  get errorCount(): number {
    return this.#faults.filter(fault => fault.severity === 'error').length
  }

  get hasErrors(): boolean {
    return this.errorCount > 0
  }

  append(fault: Fault): void {
    this.#faults.push(fault)
  }

  add(file: string, field: string, expected: string, received: string): void {
    this.append({ file, field, expected, received, severity: 'error' })
  }

  warn(file: string, field: string, expected: string, received: string): void {
    this.append({ file, field, expected, received, severity: 'warning' })
  }
}

/** A character for private use: marks numbers that JSON would write as null. */
const NOT_FINITE = '\ue000'

/** A value of template.json on one short line. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const marked = (item: unknown): unknown =>
    typeof item === 'number' && !Number.isFinite(item) ? `${NOT_FINITE}${item}` : item
  const json = JSON.stringify(value, (_, item: unknown) => marked(item))
  const text = json?.replaceAll(/"\ue000([^"]+)"/g, '$1') ?? typeof value
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
