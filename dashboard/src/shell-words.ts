/** Words of a shell command, whatever is in them. */

export const shellWord = (text: string): string =>
  /^[\w./=:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/**
 * A file as a field of curl's forms. In a file name curl ends at semicolons and commas: where there may be
 * some, quotes inside keep them.
 */
export const curlFile = (field: string, fileName: string): string =>
  /^[\w.-]+$/.test(fileName)
    ? `${field}=@${fileName}`
    : shellWord(`${field}=@"${fileName.replaceAll(/["\\]/g, '\\$&')}"`)
