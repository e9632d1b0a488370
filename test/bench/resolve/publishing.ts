import type { CorpusSkill } from '../../support/corpus.ts'
import { asImported } from '../fill-database.ts'
import type { LoadResult } from '../load.ts'
import type { BenchServer } from '../processes.ts'
import { post, registerOne } from '../publisher.ts'
import { resolveNew } from '../requests/read-requests.ts'

/** What publishing costs while the catalogue is full; milliseconds. */
export interface PublishingFigures {
  /** Resolve, asked over one connection while skills are published over many. */
  asked: LoadResult
  /** Longest time that the event loop was held meanwhile. */
  longestHold: number
}

const publishers = 32
/** Less than publishing takes. */
const askedSeconds = 2

/** Publishes the skills with a new agent's key. */
export async function measurePublishing(
  server: BenchServer,
  skills: readonly CorpusSkill[],
): Promise<PublishingFigures> {
  const apiKey = await registerOne(server.url, 'publisher')
  await server.longestHold()
  const rest = skills.flatMap((skill) => asImported(skill) ?? [])[Symbol.iterator]()
  const publishRest = async () => {
    for (const { name, slug, description, tags, readme } of rest) {
      await post(server.url, '/skills', { name, slug, description, tags, readme }, apiKey)
    }
  }
  const [asked] = await Promise.all([
    resolveNew(server.url, { connections: 1, seconds: askedSeconds }),
    ...Array.from({ length: publishers }, publishRest),
  ])
  return { asked, longestHold: await server.longestHold() }
}
