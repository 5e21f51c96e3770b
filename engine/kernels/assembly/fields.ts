// Fields of the structures in records.ts.

// @ts-ignore: decorator
@inline export function field(structure: usize, offset: usize): i32 {
  return load<i32>(structure + offset);
}
// @ts-ignore: decorator
@inline export function address(structure: usize, offset: usize): usize {
  return <usize>load<u32>(structure + offset);
}
