/** Real answers of a service with the starter pack. Pictures are 8 pixels wide, to fit on a page. */

const ARTWORK_URL = 'https://example.com/artwork.jpg'
const small = { artwork_url: ARTWORK_URL, width: 8, quality: 40, response_format: 'json' }

export const generateRequests = {
  binary: {
    summary: 'One mockup as image bytes',
    value: { template_id: 'oak-frame-portrait', artwork_url: ARTWORK_URL },
  },
  json: { summary: 'One mockup as JSON', value: { template_id: 'oak-frame-portrait', ...small } },
  batch: {
    summary: 'Two mockups in one request',
    value: { template_ids: ['oak-frame-portrait', 'white-mug-walnut-table'], ...small },
  },
}

export const generationResult = {
  success: true,
  template_id: 'oak-frame-portrait',
  image:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAKAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABQD/xAAdEAACAgIDAQAAAAAAAAAAAAABAgARAwQkUXES/8QAFAEBAAAAAAAAAAAAAAAAAAAAA//EABYRAQEBAAAAAAAAAAAAAAAAAAIAAf/aAAwDAQACEQMRAD8AVbJlz7zfScYKbJUUGrv2UL3CRqtR6lBKmWX/2Q==',
  format: 'jpeg',
  content_type: 'image/jpeg',
  size_bytes: 319,
  duration_ms: 1874,
}

export const batchResult = {
  success: true,
  results: [
    {
      template_id: 'oak-frame-portrait',
      image:
        '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAKAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABQD/xAAdEAACAgIDAQAAAAAAAAAAAAABAgARAwQkUXES/8QAFAEBAAAAAAAAAAAAAAAAAAAAA//EABYRAQEBAAAAAAAAAAAAAAAAAAIAAf/aAAwDAQACEQMRAD8AVbJlz7zfScYKbJUUGrv2UL3CRqtR6lBKmWX/2Q==',
      format: 'jpeg',
      content_type: 'image/jpeg',
      size_bytes: 319,
    },
    {
      template_id: 'white-mug-walnut-table',
      image:
        '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAbEAACAgMBAAAAAAAAAAAAAAABAwACERITBP/EABUBAQEAAAAAAAAAAAAAAAAAAAQD/8QAFREBAQAAAAAAAAAAAAAAAAAAABH/2gAMAwEAAhEDEQA/ALf6HLsaUt1XrgMFcEmIiQpD/9k=',
      format: 'jpeg',
      content_type: 'image/jpeg',
      size_bytes: 308,
    },
  ],
  count: 2,
  total_size_bytes: 627,
  duration_ms: 1199,
}

export const templateList = {
  templates: [
    {
      id: 'oak-frame-portrait',
      name: 'Oak frame above a sideboard',
      category: 'Wall Art',
      frame_count: 1,
      thumbnail_url: 'https://mockups.example.com/thumbnails/W0SC1DS6A80J1Ab8vmQPfQlwQsT3W6Yh.jpg',
      aspect_ratio: 0.66667,
      blending_mode: 'normal',
      render_mode: 'corners',
      surface_type: null,
      is_product_template: false,
      frames: [
        {
          index: 0,
          aspect_ratio: 0.66667,
        },
      ],
    },
    {
      id: 'white-mug-walnut-table',
      name: 'White mug on a walnut table',
      category: 'Drinkware',
      frame_count: 1,
      thumbnail_url: 'https://mockups.example.com/thumbnails/s9zBNDUPUN4KC7rCxBzKyGQksmlxi51G.jpg',
      aspect_ratio: 1.41234,
      blending_mode: 'normal',
      render_mode: 'uvmap',
      surface_type: 'ceramic',
      is_product_template: true,
      frames: [
        {
          index: 0,
          aspect_ratio: 1.41234,
        },
      ],
    },
  ],
  pagination: {
    page: 1,
    limit: 50,
    total: 2,
    total_pages: 1,
  },
  categories: ['Drinkware', 'Wall Art'],
}

export const balance = {
  balance_cents: 997,
  balance_dollars: '9.97',
  balance_credits: 997,
}

export const usageStatistics = {
  period: '2d',
  total_requests: 4,
  successful_requests: 4,
  failed_requests: 0,
  credits_consumed: 3,
  credits_refunded: 0,
  top_templates: [
    {
      template_id: 'oak-frame-portrait',
      count: 2,
    },
    {
      template_id: 'white-mug-walnut-table',
      count: 1,
    },
  ],
  requests_by_day: [
    {
      date: '2026-11-20',
      count: 0,
    },
    {
      date: '2026-11-21',
      count: 4,
    },
  ],
}
