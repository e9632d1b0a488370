import { z } from 'zod'
import { type Loaded, type Saved, type SnapshotPart, within } from '../../snapshot/saved.ts'
import type { SkillColumns } from '../columns/columns.ts'
import { SavedCopy } from '../copies/copies.ts'
import { aliveSlots } from './slots.ts'
import type { CatalogueState } from './state.ts'

/** The state as it is at this moment; pages that change later are copied first. */
export function saveState(state: CatalogueState, end: number): Saved {
  const { columns, copies, ids, postings, orders, owners, repositories } = state
  const { texts, verdicts } = state
  const saved = texts.save(end)
  const parts: SnapshotPart[] = [
    ...columnNames(columns).map((name) => ({ name, bytes: columns[name].save(end) })),
    ...saved.parts.map((part) => ({ ...part, name: `texts/${part.name}` })),
    { name: 'ids', bytes: ids.save(end) },
    { name: 'postings', bytes: postings.save() },
    { name: 'repositories', bytes: writeLines([...repositories.all()]) },
    { name: 'owners', bytes: writeLines([...owners.all()]) },
    { name: 'verdicts', bytes: writeLines(verdicts.findings()) },
    { name: 'copies', bytes: writeLines(copies.save()) },
  ]
  if (orders.isSorted) {
    for (const kind of ['originals', 'copies'] as const) {
      parts.push({ name: `${kind}-by-stars`, bytes: orders[kind].byStars.save() })
      parts.push({ name: `${kind}-by-fetches`, bytes: orders[kind].byFetches.save() })
      parts.push({ name: `${kind}-by-update`, bytes: orders[kind].byUpdate.save() })
    }
  }
  return { meta: { end, texts: saved.meta }, parts }
}

/** Takes back what `saveState` gave, into an empty state; gives `end`. Throws if a part is missing. */
export function restoreState(state: CatalogueState, { meta, parts }: Loaded): number {
  const { columns, copies, ids, addresses, postings, orders } = state
  const { owners, repositories, texts, verdicts } = state
  const { end } = Meta.parse(meta)
  const part = (name: string) => {
    const bytes = parts.get(name)
    if (!bytes) throw new Error(`the part ${name} is missing`)
    return bytes
  }
  for (const line of readLines(part('repositories'))) {
    for (const { record, revision } of KnownRepositories.parse(line)) {
      repositories.put(record, revision)
    }
  }
  for (const line of readLines(part('owners'))) {
    for (const owner of KnownOwners.parse(line)) owners.numberOf(owner)
  }
  verdicts.restore([...readLines(part('verdicts'))].flatMap((line) => KnownFindings.parse(line)))
  for (const name of columnNames(columns)) columns[name].restore(part(name))
  texts.restore(within({ meta, parts }, 'texts'))
  const alive = aliveSlots(columns, end)
  ids.restore(part('ids'), alive)
  addresses.restore(alive)
  postings.restore(part('postings'))
  for (const slot of alive) repositories.addSkills(columns.repository.get(slot), 1)
  for (const line of readLines(part('copies'))) copies.restore(z.array(SavedCopy).parse(line))
  copies.settle(() => {})
  if (parts.has('originals-by-stars')) {
    const lists = (kind: 'originals' | 'copies') => ({
      byStars: integersIn(part(`${kind}-by-stars`)),
      byFetches: integersIn(part(`${kind}-by-fetches`)),
      byUpdate: integersIn(part(`${kind}-by-update`)),
    })
    orders.fill(lists('originals'), lists('copies'))
  }
  return end
}

const columnNames = (columns: SkillColumns) => Object.keys(columns) as (keyof SkillColumns)[]

/** A copy, for the bytes need not be aligned. */
const integersIn = (bytes: Uint8Array) => new Uint32Array(Uint8Array.from(bytes).buffer)

const batch = 256

/** JSON arrays, one a line, made as they are asked for. */
function* writeLines(records: readonly unknown[]): Generator<Uint8Array> {
  for (let from = 0; from < records.length; from += batch) {
    yield new TextEncoder().encode(`${JSON.stringify(records.slice(from, from + batch))}\n`)
  }
}

function* readLines(bytes: Uint8Array): Generator<unknown> {
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(newline, from)
    yield JSON.parse(Buffer.from(bytes.subarray(from, to)).toString())
    from = to + 1
  }
}

const newline = 10

const Count = z.int().nonnegative()

const Meta = z.object({ end: Count })

const KnownRepositories = z.array(
  z.object({
    record: z.object({
      id: z.string(),
      agentId: z.string(),
      owner: z.string(),
      name: z.string(),
      starCount: z.int(),
      upstreamStars: Count,
      downloadCount: z.int(),
      verifiedAs: z.string().nullable(),
    }),
    revision: Count,
  }),
)

const KnownFindings = z.array(z.tuple([Count, z.string()]))

const KnownOwners = z.array(
  z.object({
    id: z.string(),
    username: z.string(),
    displayName: z.string().nullable(),
    verifiedAs: z.string().nullable(),
  }),
)
