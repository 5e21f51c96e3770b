/**
 * Damaged JPEG files through our instrumented decoder and, where it accepts one, through libjpeg-turbo:
 *
 *   node engine/fuzz/jpeg-mutants.ts --count 100000 --seed 1
 *
 * Prints the outcomes, and ends with code 1 where a file trapped, touched foreign memory, gave a picture that
 * depends on what memory held before, or was accepted although libjpeg-turbo warns or draws another picture.
 */
import { fuzzedJpeg } from './fuzzed-jpeg.ts'
import { runMutants } from './try-mutants.ts'

await runMutants(fuzzedJpeg)
