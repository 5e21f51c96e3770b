/**
 * Damaged PNG files through our instrumented decoder and, where it accepts one, through libpng:
 *
 *   node engine/fuzz/png-mutants.ts --count 100000 --seed 1
 *
 * Prints the outcomes, and ends with code 1 where a file trapped, touched foreign memory, worked beyond the
 * bound, gave a picture that depends on what memory held before, or was accepted although libpng warns or
 * draws another picture.
 */
import { fuzzedPng } from './fuzzed-png.ts'
import { runMutants } from './try-mutants.ts'

await runMutants(fuzzedPng)
