import type { Command } from 'commander'
import { schemeAdvice, Vitrine } from '../api-client/client.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { readServiceAddress } from '../settings/process-environment.ts'
import { publicUrl } from '../settings/setting-types.ts'

export type ServiceOptions = { readonly url?: string }

/** Adds `--url`, the service that a command uses. The key is no argument: other users can read those. */
export function addServiceOption(command: Command): Command {
  return command.option('--url <address>', 'the service; without it VITRINE_URL. The key is VITRINE_API_KEY')
}

/** A client of that service. @throws {OperatorError} if the address or key is missing or invalid */
export function openVitrine({ url }: ServiceOptions): Vitrine {
  const address = url ?? readServiceAddress()
  if (address !== undefined && publicUrl.parse(address) === undefined)
    throw new OperatorError(
      `Expected ${publicUrl.expected} for ${url === undefined ? 'VITRINE_URL' : '--url'} but received ${JSON.stringify(address)}${schemeAdvice(address)}.`,
    )
  try {
    return new Vitrine({ baseUrl: address })
  } catch (error) {
    if (error instanceof TypeError) throw new OperatorError(error.message, { cause: error })
    throw error
  }
}
