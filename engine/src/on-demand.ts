/** A value that is made when it is first asked for, and cached. */
export class OnDemand<T> {
  readonly #make: () => T
  #made: { readonly value: T } | null = null

  constructor(make: () => T) {
    this.#make = make
  }

  get(): T {
    this.#made ??= { value: this.#make() }
    return this.#made.value
  }
}
