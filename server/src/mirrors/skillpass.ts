import { type Client, createClient, GoneError, NotFoundError } from '@skillpass/client'
import { bounds } from '@skillpass/contract'
import { checked, type Source, type SourceSkill } from './source.ts'

/** Longest total time that a call waits for the rate limits of the source, ms. */
const maxWaitMs = 5 * 60_000

const pageSize = 500

/** Reads the skills of another Skillpass that have changed since the cursor, or all. */
export async function* skillsOfSkillpass(source: Source): AsyncGenerator<SourceSkill> {
  const { url, apiKey, fetch, cursor, known, failed, signal } = source
  const { registry } = createClient({ baseUrl: url.origin, apiKey, fetch, timeoutMs: 0, maxWaitMs })
  const [owner, repo] = url.pathname.split('/').filter(Boolean)
  const ids = new Set(failed)
  let after = cursor ?? undefined
  for (let isEnd = false; !isEnd; ) {
    const query = { owner, repo, limit: pageSize, after }
    const { data, next } = await registry.changes
      .list({ query, signal })
      .catch((error: unknown) => {
        // The source has forgotten events, so the next run compares all skills.
        if (error instanceof GoneError) source.cursor = null
        throw error
      })
    for (const { id, version } of data) if (version !== undefined) ids.add(id)
    after = next
    isEnd = data.length < pageSize
  }
  if (cursor === null) {
    const query = { owner, repo, sort: 'recent', limit: bounds.pageSize.max } as const
    for await (const { id } of registry.skills.search.all({ query, signal })) ids.add(id)
    for (const id of known) ids.add(id)
  }
  for (const id of ids) yield await readSkill(registry, id, owner === undefined, signal)
  source.cursor = after ?? null
}

async function readSkill(
  { skills, files, rawSkill }: Client['registry'],
  source: string,
  hasOtherOwners: boolean,
  signal: AbortSignal,
): Promise<SourceSkill> {
  const about = { params: { id: source }, signal }
  const ifFound = <T>(found: Promise<T>) =>
    found.catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined
      throw error
    })
  const { data: listed = [] } = (await ifFound(skills.versions(about))) ?? {}
  const versions = listed.map((one) => ({ ...one, version: String(one.version) }))
  const found = await ifFound(skills.get(about))
  if (!found) return { source, versions }
  const { repo, slug, readme, digest, version, updatedAt: stamp, fetchUrl, ...fields } = found.data
  const read = async () => {
    checked('The readme', digest, readme)
    const { data } = await files.list({ ...about, query: { version } })
    const others = data.files.filter(({ path }) => path !== 'SKILL.md')
    const at = { owner: repo.owner, repo: repo.name, skill: slug }
    return {
      ...{ ...fields, readme },
      files: others.map(({ url: _, ...file }) => ({
        ...file,
        read: () =>
          rawSkill.file({ params: { ...at, path: file.path }, query: { version }, signal }),
      })),
    }
  }
  // Names of owners have no dot, so no two repositories of a source share one here.
  const name = hasOtherOwners ? `${repo.owner}.${repo.name}` : repo.name
  const [url = ''] = fetchUrl.split('?')
  const isPrivate = repo.visibility === 'private'
  const place = { url, repo: name, slug, isPrivate }
  const current = { version: String(version), digest, stamp, ...place, read }
  return { source, versions, current }
}
