import { z } from 'zod'

/** An e-mail address, wherever one is taken: the sign-in library refuses what this does. Length: RFC 5321. */
export const emailAddressSchema = z.email().max(254)
