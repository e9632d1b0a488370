/** Reads what came from elsewhere: nothing is taken for what it does not show itself to be. */

/** What a text says as JSON; undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The fields of an object; none of anything else. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field that is a text. */
export function textIn(fields: Readonly<Record<string, unknown>>, name: string) {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

/** A field that is a number. */
export function numberIn(fields: Readonly<Record<string, unknown>>, name: string) {
  const value = fields[name]
  return typeof value === 'number' ? value : undefined
}
