/** Quotes words of shell commands, whatever they contain. */

export const shellWord = (text: string): string =>
  /^[\w./=:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A file as a form field of curl, which ends unquoted file names at semicolons and commas. */
export const curlFile = (field: string, fileName: string): string =>
  /^[\w.-]+$/.test(fileName)
    ? `${field}=@${fileName}`
    : shellWord(`${field}=@"${fileName.replaceAll(/["\\]/g, '\\$&')}"`)
