/** Widths that shops and social networks recommend. */
export const channelSizes = [
  { id: 'etsy', label: 'Etsy', widthPx: 2000 },
  { id: 'shopify', label: 'Shopify', widthPx: 2048 },
  { id: 'instagram', label: 'Instagram', widthPx: 1080 },
  { id: 'web', label: 'Web', widthPx: 1200 },
  { id: 'full', label: 'Full', widthPx: 4000 },
] as const

export type ChannelId = (typeof channelSizes)[number]['id']

export const channelIds: readonly ChannelId[] = channelSizes.map(({ id }) => id)
