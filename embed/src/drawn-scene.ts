/** An element's scene in the drawing worker. */
import type { Placement } from '@vitrine/engine'
import type { FramePlane } from '@vitrine/live'
import { drawingClient } from './drawing-client.ts'
import type { Colors } from './element-types.ts'
import type { AnswerOf, DrawingAnswer, RequestOf } from './messages.ts'

/** Each method but `close` throws EmbedError if it fails. */
export class DrawnScene {
  /** 0: none. A new one for each template, so that answers for an older one are ignored. */
  #id = 0

  async open(pack: string, widthPx: number): Promise<readonly FramePlane[]> {
    this.#id = drawingClient.newSceneId()
    return (await this.#expect('opened', { kind: 'open', pack, widthPx })).planes
  }

  show(frames: readonly number[], artwork: Uint8Array | null): Promise<AnswerOf<'shown'>> {
    return this.#expect('shown', { kind: 'show', frames, artwork })
  }

  async draw(placements: readonly Placement[], colors: Colors): Promise<ImageBitmap> {
    return (await this.#expect('drawn', { kind: 'draw', placements, colors })).bitmap
  }

  close(): void {
    if (this.#id > 0) void drawingClient.ask({ kind: 'close', element: this.#id })
    this.#id = 0
  }

  #expect<K extends DrawingAnswer['kind']>(kind: K, request: RequestOf): Promise<AnswerOf<K>> {
    return drawingClient.expect(kind, { ...request, element: this.#id })
  }
}
