/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the value if it is an object, otherwise an empty object. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a field if it is a string. */
export function stringField(fields: Readonly<Record<string, unknown>>, name: string) {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns a field if it is a number. */
export function numberField(fields: Readonly<Record<string, unknown>>, name: string) {
  const value = fields[name]
  return typeof value === 'number' ? value : undefined
}
