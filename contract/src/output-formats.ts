/** The formats of a finished picture for callers. The engine has an encoder for each name. */
export const outputFormats = {
  jpeg: {
    label: 'JPEG',
    mediaType: 'image/jpeg',
    extension: 'jpg',
    otherExtensions: ['jpeg', 'jpe', 'jfif'],
    hasQuality: true,
  },
  png: { label: 'PNG', mediaType: 'image/png', extension: 'png', otherExtensions: [], hasQuality: false },
} as const satisfies Record<string, OutputFormatDescription>

type OutputFormatDescription = {
  readonly label: string
  readonly mediaType: string
  /** The file extension, without the dot. */
  readonly extension: string
  /** Other accepted file extensions. */
  readonly otherExtensions: readonly string[]
  /** Whether the parameter `quality` has an effect. */
  readonly hasQuality: boolean
}

export type OutputFormat = keyof typeof outputFormats

export function isOutputFormat(name: string): name is OutputFormat {
  return Object.hasOwn(outputFormats, name)
}

/** All names, in the order of the table. */
export const outputFormatNames: readonly OutputFormat[] = Object.keys(outputFormats).filter(isOutputFormat)

/** The labels of the formats with or without quality: "JPEG". */
export function labelFormats({ hasQuality }: { readonly hasQuality: boolean }): string {
  const labels = Object.values(outputFormats).filter(format => format.hasQuality === hasQuality)
  return labels.map(({ label }) => label).join(' or ')
}
