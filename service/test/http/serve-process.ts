/** A process of its own that serves, as `vitrine serve` does; prints the address once it answers. */
import { serve } from '../../src/main.ts'

await serve({
  afterStart: async ({ url }) => {
    process.stdout.write(`${url}\n`)
  },
})
