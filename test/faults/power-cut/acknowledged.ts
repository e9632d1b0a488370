import { hashSecret, parseSecret } from '@skillpass/server/secrets/secrets'
import SqliteConnection from 'better-sqlite3'
import { accountToken, type Http, tokensOf } from '../../support/oauth-client.ts'
import { pick, seededRandom } from '../../support/random.ts'
import type { LoadFixture } from '../load/fixture.ts'
import { recorderNow } from './recording.ts'

/** A write that was acknowledged, by the clock of the recorder, and stays whatever comes later. */
export interface Acknowledged {
  readonly at: number
  readonly kind: 'skill' | 'star' | 'revoked key' | 'token'
  /** Its row, as `readRows` names it. */
  readonly row: string
}

/** So large that the log is copied into the file again and again. */
const readmeBytes = 30_000
const clients = 8

/** Lets clients write until as many writes were acknowledged. */
export async function writeUntil(
  enough: number,
  { server, fixture, seed }: { server: Http; fixture: LoadFixture; seed: number },
): Promise<Acknowledged[]> {
  const random = seededRandom(seed)
  const acknowledged: Acknowledged[] = []
  const skills: string[] = []
  const note = (kind: Acknowledged['kind'], row: string) => {
    acknowledged.push({ at: recorderNow(), kind, row })
  }
  const ask = async (key: string, method: string, path: string, body?: unknown) => {
    const answer = await server.http(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (JSON.parse(text) as { data: Record<string, string> }).data
  }
  const publish = async (key: string, slug: string) => {
    const readme = `# ${slug}\n\n`.padEnd(random() * readmeBytes, `How to do ${slug}. `)
    const { id } = await ask(key, 'POST', '/api/v1/skills', { name: slug, slug, readme })
    note('skill', `${id} ${readme.length}`)
    skills.push(String(id))
  }
  const client = async (number: number) => {
    const username = `writer-${number}`
    const { id, apiKey } = await ask('', 'POST', '/api/v1/agents/register', { username })
    const key = String(apiKey)
    for (let turn = 0; acknowledged.length < enough; turn++) {
      await publish(key, `s-${number}-${turn}`)
      const skill = pick(skills, random)
      await ask(key, 'POST', `/api/v1/skills/${skill}/star`)
      note('star', `${id} ${skill}`)
      const made = await ask(key, 'POST', '/api/v1/api-keys', { name: `key ${turn}` })
      await ask(key, 'DELETE', `/api/v1/api-keys/${made.id}`)
      note('revoked key', String(made.id))
      const token = await accountToken(server, fixture.reporter, fixture.accountId)
      note('token', keyOf(tokensOf(token).access_token))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return acknowledged
}

function keyOf(token: string): string {
  const secret = parseSecret('accessToken', token)
  if (!secret) throw new Error('That is no access token.')
  return hashSecret(secret)
}

/** The rows of each kind. */
const rowsOf: Readonly<Record<Acknowledged['kind'], string>> = {
  skill: `select s.id || ' ' || length(v.readme) from skills s join skill_versions v on v.skill_id = s.id`,
  star: `select agent_id || ' ' || skill_id from stars`,
  'revoked key': 'select id from api_keys where revoked_at is not null',
  token: 'select key from access_tokens',
}

/** Opens a database as a start would, and says whether it is whole and what of those writes it lacks. */
export function inspect(
  file: string,
  acknowledged: readonly Acknowledged[],
): { integrity: string; lost: Acknowledged[] } {
  const db = new SqliteConnection(file)
  try {
    const integrity = String(db.pragma('integrity_check', { simple: true }))
    if (integrity !== 'ok') return { integrity, lost: [] }
    const orphans = db.pragma('foreign_key_check') as unknown[]
    if (orphans.length > 0) return { integrity: `${orphans.length} rows point nowhere`, lost: [] }
    const kept = new Set(
      Object.entries(rowsOf).flatMap(([kind, query]) =>
        db
          .prepare<[], string>(query)
          .pluck()
          .all()
          .map((row) => `${kind} ${row}`),
      ),
    )
    return { integrity, lost: acknowledged.filter(({ kind, row }) => !kept.has(`${kind} ${row}`)) }
  } catch (error) {
    return { integrity: String(error), lost: [] }
  } finally {
    db.close()
  }
}
