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

/** A value of template.json on one short line. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
