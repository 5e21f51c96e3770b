/** Real answers of a service with the starter pack, shortened by asking for a picture 8 pixels wide. */

const artworkUrl = 'https://example.com/artwork.jpg'
const picture = {
  image: 'PLACEHOLDER',
  format: 'jpeg',
  content_type: 'image/jpeg',
  size_bytes: 1,
}

export const generateRequests = {
  single: { summary: 'One mockup as image bytes', value: { template_id: 'framed-poster', artwork_url: artworkUrl } },
  small: {
    summary: 'One mockup as JSON',
    value: { template_id: 'framed-poster', artwork_url: artworkUrl, width: 8, response_format: 'json' },
  },
  batch: {
    summary: 'Two mockups in one request',
    value: { template_ids: ['framed-poster', 'mug'], artwork_url: artworkUrl, width: 8, response_format: 'json' },
  },
}

export const generationResult = { success: true, ...picture, template_id: 'framed-poster', duration_ms: 38 }

export const batchResult = {
  success: true,
  results: [
    { template_id: 'framed-poster', ...picture },
    { template_id: 'mug', ...picture },
  ],
  count: 2,
  total_size_bytes: 2 * picture.size_bytes,
  duration_ms: 61,
}

export const templateList = {
  templates: [
    {
      id: 'framed-poster',
      name: 'Framed poster',
      category: 'Wall Art',
      frame_count: 1,
      thumbnail_url: 'https://mockups.example.com/thumbnails/5f0d1c7c2a9e4b36.jpg',
      aspect_ratio: 0.6667,
      blending_mode: 'normal',
      render_mode: 'corners',
      surface_type: null,
      is_product_template: false,
      frames: [{ index: 0, aspect_ratio: 0.6667 }],
    },
  ],
  pagination: { page: 1, limit: 50, total: 1, total_pages: 1 },
  categories: ['Wall Art'],
}

export const balance = { balance_cents: 999, balance_dollars: '9.99', balance_credits: 999 }

export const usageStatistics = {
  period: '2d',
  total_requests: 3,
  successful_requests: 2,
  failed_requests: 1,
  credits_consumed: 1,
  credits_refunded: 1,
  top_templates: [{ template_id: 'framed-poster', count: 1 }],
  requests_by_day: [
    { date: '2026-11-20', count: 0 },
    { date: '2026-11-21', count: 3 },
  ],
}
