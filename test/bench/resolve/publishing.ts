import type { CorpusSkill } from '../../support/corpus.ts'
import { asImported } from '../fill-database.ts'
import type { LoadResult } from '../load.ts'
import type { BenchServer } from '../processes.ts'
import { post, registerOne } from '../publisher.ts'
import { resolveNew } from '../requests/read-requests.ts'

/** Effect of publishing on a full catalogue, in milliseconds. */
export interface PublishingFigures {
  /** Latency of resolve over one connection while 32 clients publish. */
  asked: LoadResult
  /** Longest time that the event loop was held. */
  longestHold: number
}

const publishers = 32
/** Shorter than the publishing. */
const askedSeconds = 2

/** Publishes the skills as a new agent and measures resolve meanwhile. */
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
