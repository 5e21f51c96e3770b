import { z } from 'zod'

/** An e-mail address, wherever one is taken: as the sign-in library reads it, with the length of RFC 5321. */
export const emailAddressSchema = z.email().max(254)
