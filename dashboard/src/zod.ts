/**
 * Zod for the pages: the build resolves `zod` to this module, so that it is configured before the first
 * schema is made. Zod compiles schemas with `new Function`, which the pages' Content-Security-Policy forbids
 * and reports.
 */
import * as z from 'zod/v4'

z.config({ jitless: true })

export { z }
