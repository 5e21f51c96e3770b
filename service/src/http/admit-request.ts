import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { AccountBudget } from '../account-budget/account-budget.ts'
import { whenKnown } from '../database/when-known.ts'
import type { Permit } from '../mockups/permit.ts'
import type { RenderPool } from '../mockups/render-pool.ts'
import { ClientGoneError } from '../received-bytes/body-reader.ts'
import { Admission } from './admission.ts'
import { callerOf } from './request-state.ts'
import { requestStep } from './request-step.ts'

type AdmissionContext = {
  readonly pool: Pick<RenderPool, 'admit' | 'assertRoom'>
  readonly budget: AccountBudget
}

/**
 * Admits an authenticated request before its body is read: counts it against the account's concurrent uploads
 * and, if the account has credits, holds a render permit briefly. Everything is released when the response
 * closes, if not before.
 *
 * @throws {GenerationError} `busy`
 * @throws {BudgetExhaustedError}
 */
export function admitRequest(context: AdmissionContext): onRequestHookHandler {
  return requestStep((request, reply) => {
    request.state.isShed = true
    const isFunded = context.budget.isFunded(callerOf(request).accountId)
    return whenKnown(isFunded, isFunded => admit(request, reply, context, isFunded))
  })
}

function admit(
  request: FastifyRequest,
  { raw }: FastifyReply,
  { pool, budget }: AdmissionContext,
  isFunded: boolean,
): void {
  const { state } = request
  const { accountId } = callerOf(request)
  if (raw.destroyed) {
    state.isShed = false
    throw new ClientGoneError('The client left before its request was admitted')
  }
  budget.assertMayRender(accountId)
  let permit: Permit | null = null
  if (isFunded) permit = pool.admit(accountId, state.startedMs)
  else pool.assertRoom(accountId)
  try {
    const admission = new Admission(budget.arrive(accountId, isFunded), permit)
    raw.once('close', () => admission[Symbol.dispose]())
    state.admission = admission
    state.isShed = false
  } catch (error) {
    permit?.release()
    throw error
  }
}
