/** What is wrong with one field of a request. */
export interface Issue {
  in: 'body' | 'query' | 'path' | 'headers'
  /** The field, dotted; empty where it is the part as a whole. */
  path: string
  /** What is said of the field, as `is required`. */
  message: string
}

/** The whole part of a request, as a sentence names it. */
const parts: Readonly<Record<Issue['in'], string>> = {
  body: 'The body',
  query: 'The query',
  path: 'The address',
  headers: 'The request',
}

/** The first issue as a sentence, `task is required`, and how many more there are. */
export function summarize([first, ...rest]: readonly Issue[]): string | undefined {
  if (!first) return undefined
  const sentence = sayOf(first.path || parts[first.in], first.message)
  return rest.length === 0 ? sentence : `${sentence} (and ${rest.length} more)`
}

/** What is said of a field with its name before it; what names another subject stands apart. */
export const sayOf = (field: string, message: string): string =>
  /^(is|are|has|have|must|may|cannot|comes) /.test(message)
    ? `${field} ${message}`
    : `${field}: ${message}`

/** A fault as a validator tells it (Standard Schema). */
interface Told {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The first `most` faults of a value, each key that is not known at a path of its own. */
export const faultsOf = (issues: readonly Told[], most: number) =>
  issues
    .slice(0, most)
    .flatMap((issue) => {
      const path = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
      return unknownKeys(issue, most).map((keys) => ({
        path: [...path, ...keys],
        message: issue.message,
      }))
    })
    .slice(0, most)

const unknownKeys = (issue: object, most: number): PropertyKey[][] =>
  'keys' in issue && Array.isArray(issue.keys)
    ? issue.keys.slice(0, most).map((key) => [String(key)])
    : [[]]
