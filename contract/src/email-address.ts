import { z } from 'zod'

/** An e-mail address, wherever one is taken: the sign-in library refuses what this does. Its length: RFC 5321. */
export const emailAddressSchema = z.email().max(254)
