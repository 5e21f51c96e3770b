/**
 * Coverage-guided fuzzing of our JPEG decoder, on one core:
 *
 *   node engine/fuzz/fuzz-jpeg-decoder.ts --minutes 60 --folder found --seed 1
 *
 * The committed kernel runs instrumented (watched-jpeg-decoder.ts). A mutant joins the queue if it takes
 * branches in a new order or a new number of times, works more per byte than any before, or is declined for a
 * new reason. In the folder: `queue` (read again by the next run), `defects` (traps, accesses outside,
 * pictures that depend on what memory held before, differences to libjpeg-turbo) and `log.csv`. Ends with
 * code 1 where there was one.
 */
import { fuzz } from './fuzz-decoder.ts'
import { fuzzedJpeg } from './fuzzed-jpeg.ts'

await fuzz(fuzzedJpeg)
