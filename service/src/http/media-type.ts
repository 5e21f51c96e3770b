/** The media type that a Content-Type names, in lower case without parameters; empty where there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Whether a type is that of a picture, or of bytes of which nothing is said. */
export function isPictureType(mediaType: string): boolean {
  return mediaType.startsWith('image/') || mediaType === 'application/octet-stream'
}
