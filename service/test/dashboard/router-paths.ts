/**
 * All methods and paths of a service's router, as "GET /path/:parameter". Parsed from the printed tree, where
 * each line extends the path of its parent, so that unlisted routes are found, too.
 */
export function readRouterPaths(app: { printRoutes(): string }): string[] {
  const pieces: string[] = []
  const paths: string[] = []
  for (const line of app.printRoutes().split('\n')) {
    const node = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/u.exec(line)
    if (node === null) continue
    const [, indent = '', piece = '', methods] = node
    pieces.length = indent.length / 4
    pieces.push(piece)
    for (const method of methods?.split(', ') ?? []) paths.push(`${method} ${pieces.join('')}`)
  }
  return paths.sort()
}
