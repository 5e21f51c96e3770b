/** Prompts for signing in over the page when a session has ended, so that the request can be repeated. */

import { Observable } from './components/observable.ts'

class SignInPrompt extends Observable {
  #isOffered = false
  #asked: { readonly answer: Promise<boolean>; readonly resolve: (isSignedIn: boolean) => void } | null = null

  /** A dialog is available from now on, until the returned function is called. */
  offer(): () => void {
    this.#isOffered = true
    return () => {
      this.#isOffered = false
      this.answer(false)
    }
  }

  /** Resolves to whether the user has signed in again. All concurrent calls share one answer. */
  ask(): Promise<boolean> {
    if (!this.#isOffered) return Promise.resolve(false)
    if (this.#asked === null) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      this.#asked = { answer: promise, resolve }
      this.notify()
    }
    return this.#asked.answer
  }

  answer(isSignedIn: boolean): void {
    this.#asked?.resolve(isSignedIn)
    this.#asked = null
    this.notify()
  }

  readonly isAsking = (): boolean => this.#asked !== null
}

export const signInPrompt = new SignInPrompt()
