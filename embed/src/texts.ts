/** The element's texts. A shop in another language sets its own: `element.texts = { … }`. */
export const texts = {
  artwork: 'Your picture',
  keys: 'Arrow keys move the picture, with Shift further, with Alt less. Plus and minus scale it, brackets turn it.',
  controls: 'Place your picture',
  choose: 'Choose a picture',
  frames: 'Frame',
  allFrames: 'All',
  /** One of several frames: {frame} is its number, from 1, or its name in the template */
  frame: 'Frame {frame}',
  left: 'Move left',
  right: 'Move right',
  up: 'Move up',
  down: 'Move down',
  larger: 'Larger',
  smaller: 'Smaller',
  turnLeft: 'Turn left',
  turnRight: 'Turn right',
  reset: 'Start again',
  asItIs: 'Original colour',
  loading: 'The preview is loading.',
  shown: 'The preview shows your picture.',
  missing: 'Choose a picture first.',
  /** {scale} in percent, {rotation} in degrees, {x} and {y}: the centre, in percent */
  placed: 'Size {scale} %, turned {rotation} degrees, at {x} % across and {y} % down',
} as const

export type Texts = { readonly [Name in keyof typeof texts]: string }
