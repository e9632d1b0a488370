import { bounds, contract } from '@skillpass/contract'
import type { FieldIssues } from '../ui/fields.tsx'
import { sentence } from '../ui/format.tsx'
import { queryOf } from './search-query.ts'

export interface ResolveQuery {
  task: string
  threshold: number
  limit: number
}

export interface ReadResolveForm {
  /** The fields of the form, as they were typed. */
  form: Record<keyof ResolveQuery, string>
  /** Absent where nothing was asked yet, or something is wrong with it. */
  query?: ResolveQuery
  issues: FieldIssues
}

const { resolve } = contract.registry.skills

/**
 * Reads the query string of the resolve page. It is held to the API's own bounds; what is wrong is
 * said beside its field. An emptied number stands for its default.
 */
export function readResolveForm(query: Record<string, unknown>): ReadResolveForm {
  const form = {
    // Forms send line ends as two characters, which would count against the bound.
    task: plain(query.task).replaceAll('\r\n', '\n'),
    threshold: plain(query.threshold) || String(bounds.resolveThreshold),
    limit: plain(query.limit) || String(bounds.resolveLimit.default),
  }
  if (query.task === undefined) return { form, issues: {} }
  const read = resolve.query.safeParse(form)
  if (read.success) return { form, query: read.data, issues: {} }
  const issues: Record<string, string> = {}
  for (const { path, message } of read.error.issues) issues[String(path[0])] ??= sentence(message)
  return { form, issues }
}

/** Address of the resolve page for a task; what is at its default is left out. */
export const resolvePath = (query: Partial<ResolveQuery>): string => `/resolve${search(query)}`

export const resolveApiPath = (query: Partial<ResolveQuery>): string =>
  `${resolve.path}${search(query)}`

const search = ({ task, threshold, limit }: Partial<ResolveQuery>) =>
  queryOf({
    task,
    threshold: threshold === bounds.resolveThreshold ? '' : threshold,
    limit: limit === bounds.resolveLimit.default ? '' : limit,
  })

const plain = (value: unknown) => (typeof value === 'string' ? value : '')
