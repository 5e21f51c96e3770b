/** The text of a form's field; empty where there is none, or a file. */
export function textField(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
