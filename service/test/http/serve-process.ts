/** A separate process that serves, like `vitrine serve`; prints the address once it is serving. */
import { serve } from '../../src/main.ts'

await serve({
  afterStart: async ({ url }) => {
    process.stdout.write(`${url}\n`)
  },
})
