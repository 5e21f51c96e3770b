import { blendModeNames } from '../blending/blend-modes.ts'
import { toneNames } from '../lighting/tones.ts'
import {
  MAX_ASPECT_RATIO,
  MAX_CATEGORY_LENGTH,
  MAX_FRAMES,
  MAX_LIGHT_SCALE,
  MAX_NAME_LENGTH,
  MAX_OVERLAYS,
  MAX_PATH_LENGTH,
  MAX_SURFACE_TYPE_LENGTH,
  MIN_LIGHT_SCALE,
} from './bundle-limits.ts'

type Schema = Readonly<Record<string, unknown>>

function object(properties: Schema, required: readonly string[]): Schema {
  return { type: 'object', properties, required, additionalProperties: false }
}

function text(maxLength: number, description: string): Schema {
  return { type: 'string', minLength: 1, maxLength, pattern: '\\S', ...(description === '' ? {} : { description }) }
}

const file: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_PATH_LENGTH,
  // relative, forward slashes, no empty, "." or ".." part, no drive
  pattern: '^(?![A-Za-z]:)(?!\\.{1,2}(/|$))[^/\\\\]+(/(?!\\.{1,2}(/|$))[^/\\\\]+)*$',
}
const region: Schema = {
  type: 'array',
  prefixItems: [
    { type: 'number' },
    { type: 'number' },
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', exclusiveMinimum: 0 },
  ],
  items: false,
  minItems: 4,
  description: '[x, y, width, height] in scene pixels: the part of the scene that the picture covers',
}
const layer: Schema = { oneOf: [file, object({ image: file, region }, ['image', 'region'])] }
const opacity: Schema = { type: 'number', minimum: 0, maximum: 1, default: 1 }
const blendingMode: Schema = { enum: blendModeNames, default: 'normal' }
const point: Schema = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }

const lighting: Schema = object(
  {
    shade: { ...layer, description: 'Light that multiplies the colour of the surface.' },
    highlights: { ...layer, description: 'Light that is added.' },
    scale: {
      type: 'number',
      minimum: MIN_LIGHT_SCALE,
      maximum: MAX_LIGHT_SCALE,
      default: 1,
      description: 'Multiplies both, in linear light.',
    },
  },
  ['shade'],
)

const frame: Schema = object(
  {
    aspect_ratio: {
      type: 'number',
      minimum: 1 / MAX_ASPECT_RATIO,
      maximum: MAX_ASPECT_RATIO,
      description: 'Width / height of the artwork that fills the frame.',
    },
    corners: {
      type: 'array',
      items: point,
      minItems: 4,
      maxItems: 4,
      description: 'Top left, top right, bottom right, bottom left of the artwork; convex.',
    },
    uvmap: {
      ...layer,
      description: '16-bit RGB PNG: red = u, green = v, 0..65535 = 0..1; alpha, if any, is coverage.',
    },
    mask: { ...layer, description: '8-bit grey: how much of the frame is seen.' },
    opacity,
    surface_color: {
      type: 'string',
      pattern: '^#[0-9a-fA-F]{6}$',
      default: '#ffffff',
      description: 'What clear parts of the artwork show in a lit frame.',
    },
    lighting,
  },
  ['aspect_ratio'],
)

const overlay: Schema = object({ image: layer, region, blending_mode: blendingMode, opacity }, ['image'])

/**
 * The JSON Schema (2020-12) of template.json, for editors. It says what a schema can say; `checkBundle` is the judge, because files,
 * convexity and the scene's size are beyond any schema.
 */
export function buildTemplateSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Vitrine template, format 1',
    description: 'The template.json of a template bundle. Coordinates are pixels of the scene picture.',
    ...object(
      {
        format: { const: 1 },
        id: {
          type: 'string',
          pattern: '^[a-z0-9-]{2,64}$',
          description: 'Never changes; importing the same id again replaces the template.',
        },
        name: text(MAX_NAME_LENGTH, 'What people see in lists.'),
        category: text(MAX_CATEGORY_LENGTH, 'For filtering, such as "Wall Art".'),
        type: { enum: ['print', 'product'], description: 'print, or product for apparel, mugs and other 3D products' },
        surface_type: {
          oneOf: [{ type: 'null' }, text(MAX_SURFACE_TYPE_LENGTH, '')],
          default: null,
          description: 'Material hint of a product, such as fabric or ceramic; null for prints.',
        },
        render_mode: { enum: ['corners', 'uvmap'], description: 'How all frames are placed.' },
        blending_mode: { ...blendingMode, description: 'How artwork meets the scene in frames without lighting.' },
        scene: { ...file, description: 'The picture itself: JPEG, PNG or WebP, sRGB.' },
        tone: { enum: toneNames, default: 'srgb', description: 'The tone curve of the scene; only with lighting.' },
        frames: { type: 'array', minItems: 1, maxItems: MAX_FRAMES, items: frame },
        overlays: {
          type: 'array',
          maxItems: MAX_OVERLAYS,
          items: overlay,
          description: 'Drawn over the frames in order.',
        },
        thumbnail: { ...file, description: 'Rendered at import where missing.' },
      },
      ['format', 'id', 'name', 'category', 'type', 'render_mode', 'scene', 'frames'],
    ),
    oneOf: [
      { properties: { render_mode: { const: 'corners' }, ...framesWith('corners', 'uvmap') } },
      { properties: { render_mode: { const: 'uvmap' }, ...framesWith('uvmap', 'corners') } },
    ],
  }
}

function framesWith(required: string, forbidden: string): Schema {
  return { frames: { items: { required: [required], properties: { [forbidden]: false } } } }
}
