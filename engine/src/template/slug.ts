/**
 * A name as ids are written: a-z, 0-9 and single hyphens between them, without accents; empty where nothing
 * is left. `letterFirst`: as slots and areas of colour are named.
 */
export function slugOf(
  name: string,
  { maxLength, letterFirst = false }: { readonly maxLength: number; readonly letterFirst?: boolean },
): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(letterFirst ? /^[^a-z]+/ : /^-+/, '')
    .slice(0, maxLength)
    .replace(/-+$/, '')
}
