import { z } from 'zod'

/** An e-mail address: as validated by the sign-in library, with the maximum length of RFC 5321. */
export const emailAddressSchema = z.email().max(254)
