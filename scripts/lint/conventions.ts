/**
 * The conventions of CONTRIBUTING.md that no rule of oxlint knows, as a plugin of it (.oxlintrc.json names
 * it). conventions.test.ts has a failing example of each rule.
 */
import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Extract<Parameters<RuleTester['run']>[1], { create: unknown; createOnce?: never }>
type Visitor = ReturnType<Rule['create']>
type NodeOf<Kind extends keyof Visitor> = Parameters<NonNullable<Visitor[Kind]>>[0]
type Declarator = NodeOf<'VariableDeclarator'>
type Expression = NonNullable<Declarator['init']>

/** `primitive`: a number, a string or a bigint that stands in the source. `unclear`: could be either. */
type ValueKind = 'primitive' | 'unclear' | 'other'

const constantCase = /^[A-Z][A-Z0-9_]*$/
const camelCase = /^_?[a-z][A-Za-z0-9]*$/
const pascalCase = /^[A-Z][A-Za-z0-9]*$/

/** The declarators of a module's own `const`, `let` and `var`, exported or not. */
function moduleDeclarations(program: NodeOf<'Program'>): NodeOf<'VariableDeclaration'>[] {
  return program.body.flatMap(statement => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    return declaration?.type === 'VariableDeclaration' && declaration.declare !== true ? [declaration] : []
  })
}

function unwrap(expression: Expression): Expression {
  const isWrapper =
    expression.type === 'TSAsExpression' ||
    expression.type === 'TSSatisfiesExpression' ||
    expression.type === 'ParenthesizedExpression'
  return isWrapper ? unwrap(expression.expression) : expression
}

function combine(kinds: readonly ValueKind[]): ValueKind {
  if (kinds.includes('other')) return 'other'
  return kinds.includes('unclear') ? 'unclear' : 'primitive'
}

function kindOfValue(wrapped: Expression, known: ReadonlyMap<string, ValueKind>): ValueKind {
  const value = unwrap(wrapped)
  switch (value.type) {
    case 'Literal': {
      const isPrimitive = ['number', 'string', 'bigint'].includes(typeof value.value)
      return isPrimitive ? 'primitive' : 'other'
    }
    case 'TemplateLiteral':
      return combine(value.expressions.map(each => kindOfValue(each, known)))
    case 'UnaryExpression':
      return ['-', '+', '~'].includes(value.operator) ? kindOfValue(value.argument, known) : 'other'
    case 'BinaryExpression': {
      const isArithmetic = ['+', '-', '*', '/', '%', '**', '<<', '>>', '>>>', '|', '&', '^'].includes(value.operator)
      if (!isArithmetic || value.left.type === 'PrivateIdentifier') return 'other'
      return combine([kindOfValue(value.left, known), kindOfValue(value.right, known)])
    }
    case 'Identifier':
      return known.get(value.name) ?? (constantCase.test(value.name) ? 'primitive' : 'unclear')
    case 'MemberExpression': {
      const isOfNumbers = value.object.type === 'Identifier' && ['Math', 'Number'].includes(value.object.name)
      return isOfNumbers ? 'primitive' : 'unclear'
    }
    case 'CallExpression': {
      const { callee } = value
      const isMath =
        callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'Math'
      if (!isMath) return 'other'
      return combine(value.arguments.map(each => (each.type === 'SpreadElement' ? 'other' : kindOfValue(each, known))))
    }
    case 'ConditionalExpression': {
      const isPrimitive = [value.consequent, value.alternate].every(each => kindOfValue(each, known) === 'primitive')
      return isPrimitive ? 'unclear' : 'other'
    }
    default:
      return 'other'
  }
}

/**
 * What may be a component of React, by its form: a function, or what `lazy`, `memo` and their like return.
 */
function canBeComponent(value: Expression): boolean {
  return ['ArrowFunctionExpression', 'FunctionExpression', 'CallExpression'].includes(value.type)
}

const constantNames: Rule = {
  create: context => ({
    Program(program) {
      const known = new Map<string, ValueKind>()
      for (const { kind, declarations } of moduleDeclarations(program))
        for (const { id, init } of declarations) {
          if (kind !== 'const' || id.type !== 'Identifier' || init === null) continue
          const valueKind = kindOfValue(init, known)
          known.set(id.name, valueKind)
          const isClass = unwrap(init).type === 'ClassExpression'
          const isComponent = context.filename.endsWith('.tsx') && canBeComponent(unwrap(init))
          if ((isClass || isComponent) && pascalCase.test(id.name)) continue
          if (valueKind !== 'other' && constantCase.test(id.name)) continue
          if (valueKind !== 'primitive' && camelCase.test(id.name)) continue
          const expected = valueKind === 'primitive' ? 'CONSTANT_CASE: its value is a primitive' : 'camelCase'
          context.report({ node: id, message: `Expected ${id.name} in ${expected}.` })
        }
    },
  }),
}

/** An empty collection at the top of a module can only be there to be filled later. */
function isEmptyCollection(wrapped: Expression): boolean {
  const value = unwrap(wrapped)
  if (value.type === 'ArrayExpression') return value.elements.length === 0
  if (value.type !== 'NewExpression' || value.callee.type !== 'Identifier') return false
  return ['Map', 'Set', 'WeakMap', 'WeakSet', 'Array'].includes(value.callee.name) && value.arguments.length === 0
}

const noModuleState: Rule = {
  create: context => ({
    Program(program) {
      for (const declaration of moduleDeclarations(program)) {
        const message = 'State lives in an object that somebody owns, not in a variable of the module.'
        if (declaration.kind === 'let' || declaration.kind === 'var') context.report({ node: declaration, message })
        else
          for (const each of declaration.declarations)
            if (each.init !== null && isEmptyCollection(each.init)) context.report({ node: each, message })
      }
    },
  }),
}

const explainedAssertion: Rule = {
  create: context => ({
    TSAsExpression(node) {
      const { typeAnnotation } = node
      const isConst =
        typeAnnotation.type === 'TSTypeReference' &&
        typeAnnotation.typeName.type === 'Identifier' &&
        typeAnnotation.typeName.name === 'const'
      if (isConst) return
      const { start, end } = context.sourceCode.getLoc(node)
      const isExplained = context.sourceCode.getAllComments().some(comment => {
        const { line } = context.sourceCode.getLoc(comment).end
        return line >= start.line - 1 && line <= end.line
      })
      const message = 'An assertion of a type needs a comment, in its line or above, that says why no type can.'
      if (!isExplained) context.report({ node, message })
    },
  }),
}

const errorClass: Rule = {
  create: context => {
    const check = (node: NodeOf<'ClassDeclaration'>) => {
      const { superClass, id } = node
      if (superClass?.type !== 'Identifier' || !superClass.name.endsWith('Error') || id === null) return
      if (!id.name.endsWith('Error')) {
        context.report({ node: id, message: `Expected the name of an error class to end in Error: ${id.name}Error.` })
        return
      }
      const hasName = node.body.body.some(
        member =>
          member.type === 'PropertyDefinition' &&
          member.key.type === 'Identifier' &&
          member.key.name === 'name' &&
          member.override === true &&
          member.value !== null &&
          unwrap(member.value).type === 'Literal' &&
          context.sourceCode.getText(unwrap(member.value)).slice(1, -1) === id.name,
      )
      const message = `Expected \`override readonly name = '${id.name}'\` in this error class.`
      if (!hasName) context.report({ node: id, message })
    }
    return { ClassDeclaration: check, ClassExpression: check }
  },
}

function isStatus(node: { type: string; value?: unknown } | null | undefined): boolean {
  return node?.type === 'Literal' && typeof node.value === 'number' && node.value >= 100 && node.value < 600
}

/**
 * Finds answers with a number as status: `{ status: 404 }`, `reply.code(404)`, `statusCode = 404`, `new
 * XError(404)`.
 */
const noStatusCode: Rule = {
  create: context => {
    const message = 'A status belongs to the catalogue in contract/ and to service/src/http/: name an error of it.'
    const report = (node: NodeOf<'CallExpression'> | NodeOf<'NewExpression'> | NodeOf<'Property'>) =>
      context.report({ node, message })
    return {
      Property(node) {
        if (node.key.type === 'Identifier' && /^status(Code)?$/.test(node.key.name) && isStatus(node.value))
          report(node)
      },
      AssignmentExpression({ left, right }) {
        const isStatusCode =
          left.type === 'MemberExpression' && left.property.type === 'Identifier' && left.property.name === 'statusCode'
        if (isStatusCode && isStatus(right)) context.report({ node: right, message })
      },
      CallExpression(node) {
        const { callee } = node
        const isAnswer =
          callee.type === 'MemberExpression' &&
          callee.property.type === 'Identifier' &&
          ['code', 'status', 'writeHead'].includes(callee.property.name)
        if (isAnswer && isStatus(node.arguments[0])) report(node)
      },
      NewExpression(node) {
        const isError = node.callee.type === 'Identifier' && node.callee.name.endsWith('Error')
        if (isError && isStatus(node.arguments[0])) report(node)
      },
    }
  },
}

/** Inside `declare module` and the like an interface adds to one that exists: a type can't. */
function isInDeclaredModule(node: { type: string; parent?: unknown }): boolean {
  if (node.type === 'TSModuleDeclaration' || node.type === 'TSGlobalDeclaration') return true
  const { parent } = node
  return isNode(parent) && isInDeclaredModule(parent)
}

function isNode(value: unknown): value is { type: string; parent?: unknown } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

const noInterface: Rule = {
  create: context => ({
    TSInterfaceDeclaration(node) {
      if (!isInDeclaredModule(node))
        context.report({ node, message: `Expected type ${node.id.name} = … in place of an interface.` })
    },
  }),
}

/** What may be read of a request's message without its body. */
const headOfMessage = ['complete', 'destroyed', 'headers', 'httpVersion', 'method', 'rawHeaders', 'socket', 'url']

function nameOf(node: { type: string; name?: unknown; property?: unknown }): string {
  if (node.type === 'Identifier' && typeof node.name === 'string') return node.name
  return node.type === 'MemberExpression' && isNode(node.property) ? nameOf(node.property) : ''
}

/**
 * Finds what could read a request's body: its message as a whole, and parsers that Fastify hands the body to.
 * Leaving Node's stream early ends the connection before the answer.
 */
const noRawBody: Rule = {
  create: context => {
    const message = 'A body is read in service/src/received-bytes/ alone: open a BodyReader on the request.'
    return {
      MemberExpression(node) {
        if (nameOf(node.property) !== 'raw' || !/request$/i.test(nameOf(node.object))) return
        const { parent } = node
        const isOfHead =
          parent.type === 'MemberExpression' &&
          parent.object === node &&
          headOfMessage.includes(nameOf(parent.property))
        if (!isOfHead) context.report({ node, message })
      },
      ObjectPattern(node) {
        const hasRaw = node.properties.some(each => each.type === 'Property' && nameOf(each.key) === 'raw')
        const { typeAnnotation } = node
        const isReply = /Reply\b/.test(typeAnnotation ? context.sourceCode.getText(typeAnnotation) : '')
        if (hasRaw && !isReply) context.report({ node, message })
      },
      CallExpression(node) {
        if (nameOf(node.callee) !== 'addContentTypeParser') return
        const parser = node.arguments.at(-1)
        const isFunction = parser?.type === 'ArrowFunctionExpression' || parser?.type === 'FunctionExpression'
        const payload = isFunction ? parser.params[1] : undefined
        const isUnused = payload === undefined || nameOf(payload).startsWith('_')
        if (!isFunction || !isUnused || node.arguments.length > 2) context.report({ node, message })
      },
    }
  },
}

export const rules = {
  'constant-names': constantNames,
  'error-class': errorClass,
  'explained-assertion': explainedAssertion,
  'no-interface': noInterface,
  'no-module-state': noModuleState,
  'no-raw-body': noRawBody,
  'no-status-code': noStatusCode,
}

export default { meta: { name: 'vitrine' }, rules }
