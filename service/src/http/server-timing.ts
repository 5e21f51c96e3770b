import type { Stage } from '../mockups/generate-mockups.ts'

/** https://www.w3.org/TR/server-timing/ */
export function serverTiming(stages: readonly Stage[]): string {
  return stages
    .map(({ name, durationMs }) => `${name.replaceAll(/[^\w-]/g, '-')};dur=${durationMs.toFixed(1)}`)
    .join(', ')
}
