import type { CorpusSkill } from '../../support/corpus.ts'
import { asImported } from '../fill-database.ts'
import type { LoadResult } from '../load.ts'
import type { BenchServer } from '../processes.ts'
import { clientOf, registerOne } from '../publisher.ts'
import { resolveNew } from '../requests/read-requests.ts'

/** Effect of publishing on a full catalogue, in milliseconds. */
export interface PublishingFigures {
  /** Latency of resolve over one connection while 32 clients publish. */
  resolve: LoadResult
  /** Longest event loop delay. */
  maxLoopDelay: number
}

const publishers = 32
/** Duration of the measurement, shorter than publishing takes. */
const resolveSeconds = 2

/** Publishes the skills as a new agent and measures resolve meanwhile. */
export async function measurePublishing(
  server: BenchServer,
  skills: readonly CorpusSkill[],
): Promise<PublishingFigures> {
  const apiKey = await registerOne(server.url, 'publisher')
  const { skills: registry } = clientOf(server.url, apiKey)
  await server.maxLoopDelay()
  const rest = skills.flatMap((skill) => asImported(skill) ?? [])[Symbol.iterator]()
  const publishRest = async () => {
    for (const { name, slug, description, tags, readme } of rest) {
      await registry.publish({ body: { name, slug, description, tags, readme } })
    }
  }
  const [resolve] = await Promise.all([
    resolveNew(server.url, { connections: 1, seconds: resolveSeconds }),
    ...Array.from({ length: publishers }, publishRest),
  ])
  return { resolve, maxLoopDelay: await server.maxLoopDelay() }
}
