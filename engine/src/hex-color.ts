import { linearFromByte } from './lighting/light-tables.ts'

/** sRGB-encoded, 0..255. */
export type RgbColor = { readonly red: number; readonly green: number; readonly blue: number }

/** Parses #rrggbb. */
export function readHexColor(hex: string): RgbColor {
  return {
    red: Number.parseInt(hex.slice(1, 3), 16),
    green: Number.parseInt(hex.slice(3, 5), 16),
    blue: Number.parseInt(hex.slice(5, 7), 16),
  }
}

/** Formats a colour as #rrggbb. */
export function writeHexColor({ red, green, blue }: RgbColor): string {
  return `#${[red, green, blue].map(channel => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Linear light of a colour, 0..1, per channel. */
export function linearOf({ red, green, blue }: RgbColor): readonly [red: number, green: number, blue: number] {
  return [linearFromByte[red] ?? 0, linearFromByte[green] ?? 0, linearFromByte[blue] ?? 0]
}
