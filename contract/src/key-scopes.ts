import { z } from 'zod'

/**
 * What a key may do: `render` makes mockups, `read` lists templates and reads balance and usage. A key that
 * names no scopes has all.
 */
export const keyScopeSchema = z.enum(['render', 'read'])
export type KeyScope = z.infer<typeof keyScopeSchema>
export const keyScopes: readonly KeyScope[] = keyScopeSchema.options
