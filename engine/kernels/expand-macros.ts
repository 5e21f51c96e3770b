const definition = /^\/\* #macro (\$\w+)(?:\((\w+)\))?\n([\s\S]*?)^\*\/$/gm
const use = /^( *)(\$\w+)(?:\((.*)\))?;$/gm

type Macro = { readonly parameter: string | undefined; readonly body: string }

/**
 * Writes out the macros of a kernel's source, which its compiler has none of. A comment defines one:
 * `#macro $name` or `#macro $name(parameter)`, then its lines; the statement `$name(…);` stands for them.
 * `known`: those that other code writes.
 */
export function expandMacros(source: string, known: ReadonlyMap<string, Macro> = new Map()): string {
  const macros = new Map(known)
  for (const [, name = '', parameter, body = ''] of source.matchAll(definition)) macros.set(name, { parameter, body })
  const expand = (text: string): string =>
    text.replaceAll(use, (_, indent: string, name: string, argument: string | undefined) => {
      const macro = macros.get(name)
      if (macro === undefined) throw new Error(`There is no macro ${name}`)
      const { parameter, body } = macro
      if ((parameter === undefined) !== (argument === undefined))
        throw new Error(`Expected ${name} with ${parameter === undefined ? 'no' : 'one'} argument`)
      const filled =
        parameter === undefined ? body : body.replaceAll(new RegExp(`\\b${parameter}\\b`, 'g'), () => argument ?? '')
      const lines = filled.trimEnd().split('\n')
      return expand(lines.map(line => indent + line.slice(2)).join('\n'))
    })
  return expand(source.replaceAll(definition, ''))
}
