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
