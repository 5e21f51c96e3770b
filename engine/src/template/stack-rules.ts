import type { JsonNode } from './json-node.ts'
import { type Operation, walkOperations } from './stack-fields.ts'

// Rules about the order of a template's drawing, across several of its fields.

/** The part of a frame that the rules need. */
type OrderedFrame = { readonly inner: readonly Operation[] }

/** Checks the order of drawing: each frame once, and operations only where they are allowed. */
export function checkOrder(node: JsonNode, frames: readonly OrderedFrame[], stack: readonly Operation[] | null): void {
  const field = node.child('stack')
  const drawn = new Map<number, number>()
  const listed = stack ?? frames.map((_, index): Operation => ({ kind: 'frame', index }))
  const innerOf = (index: number): readonly Operation[] => {
    const count = (drawn.get(index) ?? 0) + 1
    drawn.set(index, count)
    return count === 1 ? (frames[index]?.inner ?? []) : []
  }
  const areas: string[] = []
  for (const operation of walkOperations(listed, innerOf)) if (operation.kind === 'color') areas.push(operation.area)
  for (const index of frames.keys()) {
    const count = drawn.get(index) ?? 0
    if (count !== 1)
      field.fault('each frame exactly once', `frame ${index} ${count === 0 ? 'not at all' : `${count} times`}`)
  }
  for (const name of areas) {
    if (findArea(node, name) === undefined) field.fault('operations whose color is one of the colors', `"${name}"`)
  }
  if (
    holdsAffine(
      listed.filter(({ kind }) => kind !== 'frame'),
      false,
    )
  ) {
    field.fault('no affine in a group, whose ground is not opaque', 'one')
  }
}

/** Whether a list has an affine operation on a backdrop that is not opaque: in a group, or a mix in it. */
function holdsAffine(list: readonly Operation[], isInGroup: boolean): boolean {
  return list.some(operation => {
    if (operation.kind === 'affine') return isInGroup
    if (operation.kind === 'mix') return holdsAffine(operation.operations, isInGroup)
    if (operation.kind !== 'group') return false
    return holdsAffine(operation.operations, true) || holdsAffine(operation.clip, false)
  })
}

/** The areas named by operations of a list and nested lists. */
export function stackedAreas(list: JsonNode): ReadonlySet<unknown> {
  return new Set(
    list.items().flatMap(operation => {
      const lists = ['group', 'clip', 'mix'].flatMap(name => [...stackedAreas(operation.child(name))])
      return operation.child('color').isAbsent ? lists : [operation.child('color').value, ...lists]
    }),
  )
}

/** The area with that name. */
export function findArea(frame: JsonNode, name: unknown): JsonNode | undefined {
  return frame.root
    .child('colors')
    .items()
    .find(area => area.child('name').value === name)
}
