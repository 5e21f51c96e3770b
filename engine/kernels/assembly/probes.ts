// Not a kernel: called by instrumented kernels (engine/fuzz/instrument-module.ts) to show a fuzzer which
// branches are taken, how much work is done and which memory is used. The probes have separate memory that
// the kernel cannot reach.

/** hits of each outcome of each branch, counted up to 255 */
const HITS: usize = 0;
/** hits of each pair of consecutive outcomes, hashed */
const PAIRS: usize = 65536;
/** the hit counts (one bit per power of two) seen for each pair */
const SEEN: usize = 131072;
/** the permitted use of each 16-byte granule of the kernel's memory: 1 read, 2 write, 0 none */
const SHADOW: usize = 262144;
const OUTCOMES: i32 = 65536;

let before: i32 = 0;
let workLimit: i64 = i64.MAX_VALUE;
let work: i64 = 0;
let violations: i32 = 0;
let firstAddress: u32 = 0;
let firstBytes: u32 = 0;
let firstIsStore: i32 = 0;

export function hitsAddress(): usize {
  return HITS;
}
export function shadowAddress(): usize {
  return SHADOW;
}
/** Sets the permitted uses of `from`..`end` of the kernel's memory. */
export function allow(from: usize, end: usize, uses: i32): void {
  if (end > from) memory.fill(SHADOW + (from >> 4), <u8>uses, ((end + 15) >> 4) - (from >> 4));
}
export function beginRun(): void {
  memory.fill(HITS, 0, 2 * OUTCOMES);
  before = 0;
  work = 0;
  violations = 0;
}
/** The number of instructions after which a run traps. */
export function limitWork(instructions: f64): void {
  workLimit = <i64>instructions;
}
/** The number of pairs, or hit counts of pairs, that are new in this run. */
export function novelties(): i32 {
  let found: i32 = 0;
  for (let at: usize = 0; at < <usize>OUTCOMES; at += 8) {
    if (load<u64>(PAIRS + at) == 0) continue;
    for (let one = at; one < at + 8; one++) {
      const count = <u32>load<u8>(PAIRS + one);
      if (count == 0) continue;
      const bit: u32 = 1 << (31 - clz<u32>(count));
      const seen = <u32>load<u8>(SEEN + one);
      if (seen & bit) continue;
      store<u8>(SEEN + one, <u8>(seen | bit));
      found++;
    }
  }
  return found;
}
export function workDone(): f64 {
  return <f64>work;
}
export function violationCount(): i32 {
  return violations;
}
export function violationAddress(): u32 {
  return firstAddress;
}
export function violationBytes(): u32 {
  return firstBytes;
}
export function violationIsStore(): i32 {
  return firstIsStore;
}

// @ts-ignore: decorator
@inline function hit(outcome: i32): void {
  const at = HITS + <usize>(outcome & (OUTCOMES - 1));
  const count = load<u8>(at);
  if (count != 255) store<u8>(at, count + 1);
  const pair = PAIRS + <usize>((outcome ^ before) & (OUTCOMES - 1));
  const followed = load<u8>(pair);
  if (followed != 255) store<u8>(pair, followed + 1);
  before = (outcome * 40503) >> 1;
}

// ---- called by the instrumented module ----

export function enter(id: i32): void {
  hit(id);
}
export function branch(condition: i32, id: i32): i32 {
  hit(id + i32(condition != 0));
  return condition;
}
export function choose(index: i32, id: i32, choices: i32): i32 {
  hit(id + (<u32>index < <u32>choices ? index : choices));
  return index;
}
export function tick(instructions: i32): void {
  work += instructions;
  if (work > workLimit) unreachable();
}

function violate(first: u64, bytes: u64, isStore: i32): void {
  if (violations++) return;
  firstAddress = <u32>first;
  firstBytes = <u32>bytes;
  firstIsStore = isStore;
}

// @ts-ignore: decorator
@inline function check(address: i32, offset: i32, bytes: u32, use: i32): void {
  const first = <u64><u32>address + <u64><u32>offset;
  const last = first + <u64>bytes - 1;
  const limit = (<u64>memory.size() << 16) - <u64>SHADOW;
  if (last >> 4 >= limit || (load<u8>(SHADOW + <usize>(first >> 4)) & load<u8>(SHADOW + <usize>(last >> 4)) & use) == 0) {
    violate(first, <u64>bytes, i32(use == 2));
  }
}
export function read(address: i32, offset: i32, bytes: i32): i32 {
  check(address, offset, <u32>bytes, 1);
  return address;
}
export function write(address: i32, offset: i32, bytes: i32): i32 {
  check(address, offset, <u32>bytes, 2);
  return address;
}
function checkRange(address: i32, bytes: i32, use: i32): void {
  const first = <u64><u32>address;
  const end = first + <u64><u32>bytes;
  const limit = (<u64>memory.size() << 16) - <u64>SHADOW;
  work += <i64>(<u32>bytes >> 4);
  for (let granule = first >> 4; granule << 4 < end; granule++) {
    if (granule >= limit || (load<u8>(SHADOW + <usize>granule) & use) == 0) {
      violate(first, <u64><u32>bytes, i32(use == 2));
      return;
    }
  }
}
export function fill(target: i32, bytes: i32): void {
  checkRange(target, bytes, 2);
}
export function copy(target: i32, source: i32, bytes: i32): void {
  checkRange(target, bytes, 2);
  checkRange(source, bytes, 1);
}
