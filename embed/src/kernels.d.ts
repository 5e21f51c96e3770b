/** Kernels embedded in the program, one character per byte (embed/vite.config.ts). */
declare module '*.wasm?text' {
  const text: string
  export default text
}

declare module '*.bin?text' {
  const text: string
  export default text
}
