/**
 * Checks what is written for people, in every file of the repository: banned words (banned-words.ts), the
 * width of comments, and what a merge left. The linter reads no Markdown, AssemblyScript, Python or CSS.
 *
 *   node scripts/lint/check-texts.ts          every file
 *   node scripts/lint/check-texts.ts PATH…    the files below these paths
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { type BannedWords, bannedForUsers, bannedInTexts, bannedWords } from './banned-words.ts'

const COMMENT_COLUMNS_MAX = 110

type Fault = { readonly line: number; readonly message: string }

/** Where a line's comment begins, or -1. */
const commentStart = (line: string): number => /^\s*(\/\/|\/\*|\*)|\s\/\/ /.exec(line)?.index ?? -1

/** Lines that are a comment, or end in one. An address is longer than any line, and may be. */
function findWideComments(lines: readonly string[]): Fault[] {
  return lines.flatMap((text, index) => {
    const isWide = commentStart(text) >= 0 && text.length > COMMENT_COLUMNS_MAX
    if (!isWide || /https?:\/\/\S{60}/.test(text)) return []
    return [{ line: index + 1, message: `a comment of ${text.length} columns, more than ${COMMENT_COLUMNS_MAX}` }]
  })
}

/** The marks of a merge that was not resolved. */
const findMergeMarks = (lines: readonly string[]): Fault[] =>
  lines.flatMap((text, index) =>
    /^(<{7}|>{7})( |$)/.test(text) ? [{ line: index + 1, message: 'a merge that is not resolved' }] : [],
  )

/** Finds words across the ends of lines too, so the signs that begin a comment's lines are left out. */
function findBannedWords(lines: readonly string[], banned: BannedWords): Fault[] {
  const starts: number[] = []
  let joined = ''
  for (const line of lines) {
    starts.push(joined.length)
    joined += `${line.replace(/^\s*(\/\/|\/?\*+|#|>)?\s*/, '')} `
  }
  return Object.entries(banned).flatMap(([pattern, instead]) =>
    [...joined.matchAll(new RegExp(pattern, 'gi'))].map(match => ({
      line: starts.findLastIndex(start => start <= match.index) + 1,
      message: `"${match[0]}": write ${instead}`,
    })),
  )
}

/** The lines of a program with nothing in them but its comments. */
const commentsOf = (lines: readonly string[]): string[] =>
  lines.map(line => (commentStart(line) < 0 ? '' : line.slice(commentStart(line))))

/** The lines of a program with nothing in them but texts of several words: strings and what stands in JSX. */
function sentencesOf(file: string, lines: readonly string[]): string[] {
  const source = ts.createSourceFile(file, lines.join('\n'), ts.ScriptTarget.Latest, true)
  const sentences = lines.map(() => '')
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      const texts = ts.isJsxText(node) || /\S\s+\S/.test(node.text) ? node.getText().split('\n') : []
      for (const [index, text] of texts.entries()) sentences[line + index] += ` | ${text}`
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return sentences
}

function findWordsInTexts(file: string, lines: readonly string[]): Fault[] {
  if (/\.(md|html)$/.test(file))
    return [...findBannedWords(lines, bannedInTexts), ...findBannedWords(lines, bannedForUsers)]
  if (!/\.(ts|tsx|js|cjs)$/.test(file)) return []
  const isPublished = /^(client|embed|contract)\//.test(file)
  const isForUsers = !/\.test\.tsx?$|(^|\/)(test|bench|fuzz|scripts)\//.test(file)
  const find = (texts: () => string[], banned: BannedWords): Fault[] =>
    findBannedWords(lines, banned).length === 0 ? [] : findBannedWords(texts(), banned)
  const comments = () => commentsOf(lines)
  const sentences = () => sentencesOf(file, lines)
  return [
    ...find(comments, bannedInTexts),
    ...find(sentences, bannedInTexts),
    ...(isForUsers ? find(sentences, bannedForUsers) : []),
    ...(isForUsers && isPublished ? find(comments, bannedForUsers) : []),
  ]
}

/** Everything that is wrong with a file's text, in the order of its lines. */
export function findFaults(file: string, text: string): Fault[] {
  const lines = text.split('\n')
  const hasWidth = /\.(ts|tsx|js|cjs|css)$/.test(file)
  return [
    ...(hasWidth ? findWideComments(lines) : []),
    ...findMergeMarks(lines),
    ...findBannedWords(lines, bannedWords),
    ...findWordsInTexts(file, lines),
  ].sort((a, b) => a.line - b.line)
}

function main(paths: readonly string[]): void {
  const root = path.resolve(import.meta.dirname, '../..')
  const files = execFileSync('git', ['ls-files', '-z', '--', ...paths], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(file => /\.(ts|tsx|js|cjs|css|md|py|html|sh|yaml)$/.test(file))
    .filter(file => !/^scripts\/lint\/(banned-words|check-texts\.test)\.ts$/.test(file))
  let count = 0
  for (const file of files)
    for (const { line, message } of findFaults(file, readFileSync(path.join(root, file), 'utf8'))) {
      console.error(`${file}:${line}: ${message}`)
      count++
    }
  if (count > 0) process.exitCode = 1
}

if (import.meta.main) main(process.argv.slice(2))
