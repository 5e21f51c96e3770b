import { z } from 'zod'

/**
 * What a key may do: `render` makes mockups, `read` lists templates and reads balance and usage. A key
 * without scopes has all of them.
 */
export const keyScopeSchema = z.enum(['render', 'read'])
export type KeyScope = z.infer<typeof keyScopeSchema>
export const keyScopes: readonly KeyScope[] = keyScopeSchema.options
