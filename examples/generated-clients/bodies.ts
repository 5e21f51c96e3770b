/** The body of an answer: parsed where it is JSON, else the picture. */
export async function readAnswer<Body>(answer: Response): Promise<Body> {
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return (isJson ? await answer.json() : await answer.blob()) as Body
}

type Fields = Readonly<Record<string, string | number | Blob | readonly string[] | undefined>>

/** The body of a form; `fetch` writes its Content-Type. */
export function toForm(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) form.append(name, each instanceof Blob ? each : String(each))
  return form
}
