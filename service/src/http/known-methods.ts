import type { FastifyInstance } from 'fastify'
import { ApiError } from './api-error.ts'

/** Remembers the methods of every path as it is registered. */
export class KnownMethods {
  readonly #methodsByPath = new Map<string, Set<string>>()

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      const methods = this.#methodsByPath.get(url) ?? new Set()
      this.#methodsByPath.set(url, methods)
      for (const name of [method].flat()) methods.add(name)
    })
  }

  /** 405 with the methods of a known path, 404 for any other. */
  errorFor(method: string, url: string): ApiError {
    const path = url.split(/[?#]/, 1)[0] ?? ''
    const methods = this.#methodsByPath.get(path)
    if (methods === undefined) return new ApiError('NOT_FOUND')
    const allow = [...methods].sort().join(', ')
    return new ApiError('METHOD_NOT_ALLOWED', {
      message: `Expected ${allow.replaceAll(', ', ' or ')} for ${path} but received ${method.slice(0, 20)}.`,
      headers: { Allow: allow },
    })
  }
}
