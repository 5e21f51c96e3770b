import assert from 'node:assert/strict'
import { createSharpCodec } from '../../src/node/create-sharp-codec.ts'
import { describeFault, type Fault } from '../../src/template/bundle-error.ts'
import { checkBundle } from '../../src/template/check-bundle.ts'
import { bundleOf, goodDescription } from './make-bundle.ts'

const codec = createSharpCodec()

/** What the check says of a bundle. */
export async function check(files: Record<string, Uint8Array>): Promise<{ ok: boolean; faults: readonly Fault[] }> {
  const { template, faults } = await checkBundle(bundleOf(files), codec)
  return { ok: template !== null, faults }
}

/** What is said where a rule is broken; the bundle is refused unless it is only a warning. */
export type Promised = { readonly expected: RegExp; readonly received: RegExp; readonly severity?: 'warning' }

/** Checks a bundle that breaks a rule; `isMeant` picks the fault of that rule. */
export async function assertFault(
  files: Record<string, Uint8Array>,
  isMeant: (fault: Fault) => boolean,
  { expected, received, severity }: Promised,
): Promise<void> {
  const { ok, faults } = await check(files)
  const fault = faults.find(isMeant)
  assert.ok(fault, `no such fault: ${faults.map(describeFault).join(' | ')}`)
  assert.match(fault.expected, expected)
  assert.match(fault.received, received)
  assert.equal(fault.severity, severity ?? 'error')
  assert.equal(ok, severity === 'warning')
}

type Description = ReturnType<typeof goodDescription>
type Frame = Record<string, unknown>

/** A rule of template.json and a description that breaks it. */
export type DescriptionRule = Promised & {
  readonly rule: string
  readonly change: (description: Description, frame: Frame) => void
  readonly field: string
}

/** The good description with one thing changed. */
export function changed(change: DescriptionRule['change']): Description {
  const description = goodDescription()
  change(description, description.frames[0] ?? {})
  return description
}

/** Corners in order, on the scene of the good bundle. */
export const square = [
  [10, 10],
  [70, 10],
  [70, 80],
  [10, 80],
] as const
