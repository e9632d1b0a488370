import { bounds, contract } from '@skillpass/contract'
import type { FieldIssues } from '../ui/fields.tsx'
import { sentence } from '../ui/parts.tsx'
import { queryOf } from './search-query.ts'

export interface ResolveQuery {
  task: string
  threshold: number
  limit: number
}

export interface ReadResolveForm {
  form: Record<keyof ResolveQuery, string>
  /** Absent if the form is empty or has issues. */
  query?: ResolveQuery
  issues: FieldIssues
}

const { resolve } = contract.registry.skills

/** Validates the query of the resolve page by the API's schema. An empty number means its default. */
export function readResolveForm(query: Record<string, unknown>): ReadResolveForm {
  const form = {
    // Forms send CRLF, which would count twice against the length limit.
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

/** Path of the resolve page for a task; default values are omitted. */
export const resolvePath = ({ task, threshold, limit }: Partial<ResolveQuery>, path = '/resolve') =>
  path +
  queryOf({
    task,
    threshold: threshold === bounds.resolveThreshold ? '' : threshold,
    limit: limit === bounds.resolveLimit.default ? '' : limit,
  })

export const resolveApiPath = (query: ResolveQuery): string => resolvePath(query, resolve.path)

const plain = (value: unknown) => (typeof value === 'string' ? value : '')
