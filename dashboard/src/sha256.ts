/** In hexadecimal. Browsers compute it on HTTPS and localhost; on other pages a library is loaded. */
export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = globalThis.isSecureContext ? await digestByBrowser(bytes) : await digestByLibrary(bytes)
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')
}

async function digestByBrowser(bytes: BufferSource): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

async function digestByLibrary(bytes: BufferSource): Promise<Uint8Array> {
  const { sha256: digest } = await import('@noble/hashes/sha2.js')
  return digest(
    ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes),
  )
}
