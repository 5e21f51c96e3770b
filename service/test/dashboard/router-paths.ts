/**
 * Every method and path that the router of a service knows, as "GET /path/:parameter". Read from the router's
 * own tree, where each line adds a piece to the one it stands under, so that a route nobody listed is found.
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
