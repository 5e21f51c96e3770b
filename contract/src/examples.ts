/**
 * Real answers of a service with the starter pack, which service/test/contract/examples.test.ts compares with
 * the renderer. Their pictures are 8 pixels wide, to fit on a page; artwork.jpg is evening-hills.jpg.
 */

const ARTWORK_URL = 'https://example.com/artwork.jpg'
const small = { artwork_url: ARTWORK_URL, width: 1200, response_format: 'json' }

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
  placed: {
    summary: 'A turned logo on the chest of a shirt',
    value: {
      template_id: 'white-tee-flat-lay',
      artwork_url: ARTWORK_URL,
      placement: { fit: 'contain', scale: 0.35, rotation: -8, x: 0.66, y: 0.24 },
    },
  },
  colored: {
    summary: 'A navy shirt',
    value: {
      template_id: 'white-tee-flat-lay',
      artwork_url: ARTWORK_URL,
      placement: { fit: 'contain', scale: 0.6 },
      colors: { shirt: '#1f2a44' },
    },
  },
  pattern: {
    summary: 'A pattern over a cushion, on its own colour',
    value: {
      template_id: 'square-cushion-sofa',
      artwork_url: ARTWORK_URL,
      placement: { repeat: 'tile', scale: 0.2, rotation: 45, background: '#1f2a44' },
    },
  },
  placements: {
    summary: 'Another placement for one of three frames',
    value: {
      template_id: 'gallery-wall-three',
      artwork_url: ARTWORK_URL,
      placement: { fit: 'contain', background: '#ffffff' },
      placements: { 1: { fit: 'cover', focus: [0.5, 0.2] } },
    },
  },
}

const oakFrame = {
  template_id: 'oak-frame-portrait',
  image:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAKAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABQD/xAAdEAABAwUBAAAAAAAAAAAAAAABAAIDBBETMUEi/8QAFAEBAAAAAAAAAAAAAAAAAAAAA//EABcRAAMBAAAAAAAAAAAAAAAAAAECEQD/2gAMAwEAAhEDEQA/AHXyZpHAxjGAfRttSEq3EUzrE8UhDXKVm//Z',
  format: 'jpeg',
  content_type: 'image/jpeg',
  size_bytes: 318,
  artwork: [{ frame: 0, width: 1600, height: 2400, density: 560 }],
}

const whiteMug = {
  template_id: 'white-mug-walnut-table',
  image:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAcEAABBAMBAAAAAAAAAAAAAAABAAIDEQQTIRL/xAAUAQEAAAAAAAAAAAAAAAAAAAAD/8QAFhEBAQEAAAAAAAAAAAAAAAAAAQAR/9oADAMBAAIRAxEAPwCjKyDG1rIjsHmjJR6URECzhl//2Q==',
  format: 'jpeg',
  content_type: 'image/jpeg',
  size_bytes: 310,
  artwork: [{ frame: 0, width: 1600, height: 2400, density: 1130 }],
}

export const generationResult = { success: true, ...oakFrame, duration_ms: 1874 }

export const batchResult = {
  success: true,
  results: [oakFrame, whiteMug],
  count: 2,
  total_size_bytes: 628,
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
      colors: [],
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
      colors: [
        {
          name: 'mug',
          default: '#ffffff',
          suggestions: [
            { name: 'White', value: '#ffffff' },
            { name: 'Cream', value: '#f2e6cd' },
            { name: 'Sand', value: '#d2bd9c' },
            { name: 'Grey', value: '#9a9c9f' },
            { name: 'Black', value: '#1b1b1d' },
            { name: 'Navy', value: '#1e2b4d' },
            { name: 'Sky Blue', value: '#9cc3dd' },
            { name: 'Teal', value: '#2b7478' },
            { name: 'Sage', value: '#a3b298' },
            { name: 'Yellow', value: '#efc444' },
            { name: 'Red', value: '#b0252b' },
            { name: 'Pink', value: '#eab9c0' },
          ],
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
