/** "baked": in the scene, below the frames; "above": drawn over a frame. */
export type LayerOutcome = { readonly layer: string; readonly outcome: 'baked' | 'frame' | 'above' }
