import { hashSecret, parseSecret } from '@skillpass/server/secrets/secrets'
import SqliteConnection from 'better-sqlite3'
import { accountToken, type Http, tokensOf } from '../../support/oauth-client.ts'
import { seededRandom } from '../../support/random.ts'
import { ask } from '../../support/skills.ts'
import { checkIntegrity } from '../integrity.ts'
import type { LoadFixture } from '../load/fixture.ts'
import { recorderNow } from './recording.ts'

/** An acknowledged write that no later write undoes. */
export interface Acknowledged {
  readonly at: number
  readonly kind: 'skill' | 'token'
  /** The row, in the form of `rowsOf`. */
  readonly row: string
}

/** Large enough to cause repeated WAL checkpoints. */
const readmeBytes = 30_000
const clients = 8

/** Lets clients write until `enough` writes are acknowledged. */
export async function writeUntil(
  enough: number,
  { server, fixture, seed }: { server: Http; fixture: LoadFixture; seed: number },
): Promise<Acknowledged[]> {
  const random = seededRandom(seed)
  const acknowledged: Acknowledged[] = []
  const note = (kind: Acknowledged['kind'], row: string) => {
    acknowledged.push({ at: recorderNow(), kind, row })
  }
  const post = async (path: string, body: object, key?: string) => {
    const response = await ask(server, 'POST', path, { body, ...(key && { key }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return (JSON.parse(text) as { data: Record<string, string> }).data
  }
  const client = async (number: number) => {
    const { apiKey } = await post('/api/v1/agents/register', { username: `writer-${number}` })
    for (let turn = 0; acknowledged.length < enough; turn++) {
      const slug = `s-${number}-${turn}`
      const readme = `# ${slug}\n\n`.padEnd(random() * readmeBytes, `How to do ${slug}. `)
      const { id } = await post('/api/v1/skills', { name: slug, slug, readme }, apiKey)
      note('skill', `${id} ${readme.length}`)
      const token = await accountToken(server, fixture.reporter, fixture.accountId)
      note('token', keyOf(tokensOf(token).access_token))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return acknowledged
}

function keyOf(token: string): string {
  const secret = parseSecret('accessToken', token)
  if (!secret) throw new Error('This is not an access token.')
  return hashSecret(secret)
}

/** Queries for the rows of each kind. */
const rowsOf: Readonly<Record<Acknowledged['kind'], string>> = {
  skill: `select s.id || ' ' || length(v.readme) from skills s join skill_versions v on v.skill_id = s.id`,
  token: 'select key from access_tokens',
}

/** Opens a database as a server would, and returns its integrity and the missing writes. */
export function inspect(
  file: string,
  acknowledged: readonly Acknowledged[],
): { integrity: string; lost: Acknowledged[] } {
  try {
    // The first connection runs the recovery, which requires write access.
    const db = new SqliteConnection(file)
    const stored = new Set(
      Object.entries(rowsOf).flatMap(([kind, query]) =>
        db
          .prepare<[], string>(query)
          .pluck()
          .all()
          .map((row) => `${kind} ${row}`),
      ),
    )
    db.close()
    const lost = acknowledged.filter(({ kind, row }) => !stored.has(`${kind} ${row}`))
    return { integrity: checkIntegrity(`file:${file}`), lost }
  } catch (error) {
    return { integrity: String(error), lost: [] }
  }
}
