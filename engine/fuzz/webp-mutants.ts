/**
 * Damaged WebP files through our instrumented decoder and, where it accepts one, through libwebp:
 *
 *   node engine/fuzz/webp-mutants.ts --count 100000 --seed 1
 *
 * Prints the outcomes, and ends with code 1 where a file trapped, touched foreign memory, worked beyond the
 * bound, gave a picture that depends on what memory held before, or was accepted although libwebp warns or
 * draws another picture.
 */
import { fuzzedWebp } from './fuzzed-webp.ts'
import { runMutants } from './try-mutants.ts'

await runMutants(fuzzedWebp)
