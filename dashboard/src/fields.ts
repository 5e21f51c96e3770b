/** The text of a form field; empty if it is missing or a file. */
export function textField(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
