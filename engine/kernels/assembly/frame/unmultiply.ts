/** Unpremultiplies a channel, rounded; alpha is not 0. */
// @ts-ignore: decorator
@inline export function unmultiply(channel: u32, alpha: u32): u32 {
  return min<u32>(255, (channel * 255 + (alpha >> 1)) / alpha);
}
