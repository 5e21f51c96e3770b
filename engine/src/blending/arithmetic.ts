/**
 * The arithmetic that blend formulas are written in, so that each is written once: 64-bit floats for tables,
 * 32-bit floats for lists of operations, and the source of the kernel (engine/kernels/blend-macros.ts).
 */
export type Arithmetic<N> = {
  readonly constant: (value: number) => N
  readonly add: (a: N, b: N) => N
  readonly sub: (a: N, b: N) => N
  readonly mul: (a: N, b: N) => N
  readonly div: (a: N, b: N) => N
  readonly min: (a: N, b: N) => N
  readonly max: (a: N, b: N) => N
  readonly abs: (a: N) => N
  readonly sqrt: (a: N) => N
  /** Selects one of two computed numbers: the first if a <= b. */
  readonly atMost: (a: N, b: N, ifTrue: N, ifFalse: N) => N
}

const F = Math.fround

const atMost = (a: number, b: number, ifTrue: number, ifFalse: number): number => (a <= b ? ifTrue : ifFalse)

/** 64-bit floats. */
export const doubles: Arithmetic<number> = {
  constant: value => value,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  min: Math.min,
  max: Math.max,
  abs: Math.abs,
  sqrt: Math.sqrt,
  atMost,
}

/** 32-bit floats, each step rounded. */
export const floats: Arithmetic<number> = {
  constant: F,
  add: (a, b) => F(a + b),
  sub: (a, b) => F(a - b),
  mul: (a, b) => F(a * b),
  div: (a, b) => F(a / b),
  min: Math.min,
  max: Math.max,
  abs: Math.abs,
  sqrt: a => F(Math.sqrt(a)),
  atMost,
}
