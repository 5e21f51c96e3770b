/** What a point of the photo shows of the artwork: 0..1 from its left and top edge, and on beyond them. */
export type ArtworkPoint = { readonly u: number; readonly v: number; readonly isSeen: boolean }
