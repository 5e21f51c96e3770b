/** What a run of random inputs came to. */
export type FuzzResult = {
  /** inputs that gave something */
  readonly passed: number
  /** inputs that were refused with a sentence */
  readonly refused: number
  /** what broke, with the number of its input */
  readonly broken: readonly string[]
  readonly slowestMs: number
}

/**
 * Tries inputs one after the other. `attempt` makes the next one and uses it; it may say what is wrong with
 * what came of it. `isRefusal`: whether an error is a sentence for the caller.
 */
export async function runInputs(
  count: number,
  attempt: () => Promise<string | null>,
  isRefusal: (error: unknown) => boolean,
): Promise<FuzzResult> {
  let [passed, refused, slowestMs] = [0, 0, 0]
  const broken: string[] = []
  for (let index = 0; index < count; index++) {
    const started = performance.now()
    try {
      const fault = await attempt()
      if (fault !== null) broken.push(`input ${index}: ${fault}`)
      passed++
    } catch (error) {
      if (isRefusal(error)) refused++
      else broken.push(`input ${index}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
    slowestMs = Math.max(slowestMs, performance.now() - started)
  }
  return { passed, refused, broken, slowestMs }
}

/** Runs what the command line asks for (COUNT, SEED) and prints what came of it. */
export async function runFromCommandLine(
  mostByDefault: number,
  run: (count: number, seed: number) => Promise<FuzzResult>,
  words: { readonly inputs: string; readonly passed: string },
): Promise<void> {
  const [count = mostByDefault, seed = 1] = process.argv.slice(2).map(Number)
  const { passed, refused, broken, slowestMs } = await run(count, seed)
  for (const each of broken.slice(0, 20)) console.log(each)
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(`${count} ${words.inputs}: ${passed} ${words.passed}, ${refused} refused, ${broken.length} broken`)
  console.log(`slowest ${Math.round(slowestMs)} ms, greatest memory ${peakMb} MB`)
  if (broken.length > 0) process.exitCode = 1
}
