/** A validation problem with one field of a request. */
export interface Issue {
  in: 'body' | 'query' | 'path' | 'headers'
  /** Dotted path of the field. Empty if the problem concerns the whole part. */
  path: string
  /** A predicate such as `is required`. */
  message: string
}

/** Subjects of sentences about a whole part of a request. */
const parts: Readonly<Record<Issue['in'], string>> = {
  body: 'The body',
  query: 'The query',
  path: 'The address',
  headers: 'The request',
}

/** Formats the first issue as a sentence, such as `task is required (and 2 more)`. */
export function summarize([first, ...rest]: readonly Issue[]): string | undefined {
  if (!first) return undefined
  const sentence = formatIssue(first.path || parts[first.in], first.message)
  return rest.length === 0 ? sentence : `${sentence} (and ${rest.length} more)`
}

/** Joins a field and a message. A message that is not a predicate follows after a colon. */
export const formatIssue = (field: string, message: string): string =>
  /^(is|are|has|have|must|may|cannot|comes) /.test(message)
    ? `${field} ${message}`
    : `${field}: ${message}`

/** An issue in the form of Standard Schema. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Returns the path of an issue, with dots. */
export const issuePath = ({ path = [] }: StandardIssue): string =>
  path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
