/**
 * A name as an id: a-z, 0-9 and single hyphens in between, without accents; may be empty. `letterFirst`: for
 * names of slots and colour areas.
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
