/** Quotes words of shell commands, whatever they contain. */

export const shellWord = (text: string): string =>
  /^[\w./=:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/**
 * A file as a form field of curl. In file names, curl stops at semicolons and commas unless they are quoted.
 */
export const curlFile = (field: string, fileName: string): string =>
  /^[\w.-]+$/.test(fileName)
    ? `${field}=@${fileName}`
    : shellWord(`${field}=@"${fileName.replaceAll(/["\\]/g, '\\$&')}"`)
