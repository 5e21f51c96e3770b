/** The media type of a Content-Type in lower case, without parameters; empty if there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Whether a media type is an image type or unspecific (octet-stream or none). */
export function isPictureType(mediaType: string): boolean {
  return mediaType.startsWith('image/') || mediaType === 'application/octet-stream'
}
