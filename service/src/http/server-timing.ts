import type { Stage } from '../mockups/generate-mockups.ts'

/** https://www.w3.org/TR/server-timing/ */
export function serverTiming(stages: readonly Stage[]): string {
  return stages
    .map(({ name, durationMs, description }) => {
      const words = description ? `;desc="${description.replaceAll(/[^\w ]/g, '-')}"` : ''
      return `${name.replaceAll(/[^\w-]/g, '-')};dur=${durationMs.toFixed(1)}${words}`
    })
    .join(', ')
}
