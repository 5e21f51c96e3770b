import { z } from 'zod'

export const count = z.int().nonnegative()
export const moment = z.iso.datetime()
