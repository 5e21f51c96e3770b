/** The artwork's coordinates at a point of the photo: 0..1 from its left and top edge, and beyond them. */
export type ArtworkPoint = { readonly u: number; readonly v: number; readonly isSeen: boolean }
