/** Runs of pixels along a plan's rows, in pixel order; see `SamplingPlan`. */
export type Chunks = {
  readonly chunkCount: number
  /** index of the chunk's first pixel within the region */
  readonly chunkStart: Int32Array
  readonly chunkLength: Int32Array
  readonly chunkScaleU: Float32Array
  readonly chunkScaleV: Float32Array
}

/** Chunks in growing typed arrays: lists of numbers take several times the memory. */
export class ChunkList {
  count = 0
  #start = new Int32Array(1024)
  #length = new Int32Array(1024)
  #scaleU = new Float32Array(1024)
  #scaleV = new Float32Array(1024)

  push(start: number, length: number, scaleU: number, scaleV: number): void {
    if (this.count === this.#start.length) this.#grow()
    this.#start[this.count] = start
    this.#length[this.count] = length
    this.#scaleU[this.count] = scaleU
    this.#scaleV[this.count] = scaleV
    this.count++
  }

  toArrays(): Chunks {
    return {
      chunkCount: this.count,
      chunkStart: this.#start.slice(0, this.count),
      chunkLength: this.#length.slice(0, this.count),
      chunkScaleU: this.#scaleU.slice(0, this.count),
      chunkScaleV: this.#scaleV.slice(0, this.count),
    }
  }

  #grow(): void {
    const [start, length, scaleU, scaleV] = [this.#start, this.#length, this.#scaleU, this.#scaleV]
    const capacity = 2 * this.count
    this.#start = new Int32Array(capacity)
    this.#start.set(start)
    this.#length = new Int32Array(capacity)
    this.#length.set(length)
    this.#scaleU = new Float32Array(capacity)
    this.#scaleU.set(scaleU)
    this.#scaleV = new Float32Array(capacity)
    this.#scaleV.set(scaleV)
  }
}
