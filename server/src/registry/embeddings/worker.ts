import type { Context } from '../../context/context.ts'
import { inBatches } from '../../db/in-batches.ts'
import { startLoop } from '../../runtime/loop.ts'
import {
  type EmbeddableSkill,
  findProgress,
  findReadmeBeginnings,
  listEmbeddableAfter,
  releaseSpace,
  removeUnusedVectors,
  saveProgress,
  saveVectors,
  takeSpace,
} from '../store/embeddings.ts'
import { type ChangePlace, currentRevision } from '../store/revision.ts'
import { createCircuit } from './circuit.ts'
import type { Embedder } from './embedder.ts'
import { embedEach, embedTogether, probe } from './one-by-one.ts'
import { clipLength, skillText, sourceOf } from './skill-text.ts'

/** How often changed skills are looked for, ms. */
const interval = 1000

/** How long other nodes leave a space alone that one works on; longer than a batch takes, ms. */
const lease = 180_000

/** A space that is used is taken at least this often, and removed when it was not for so long, ms. */
const touchInterval = 86_400_000
const unusedTime = 30 * 86_400_000

const pageSize = 200
const removeBatch = 500

/** Texts in a request, and numbers in its answer: parsing them must not hold the event loop. */
const mostTexts = 32
const mostNumbers = 16_384

/** A batch that failed this often is tried text by text: one of them may be what fails. */
const failuresOfBatch = 2

/** A service that fails is asked again after a second, then less and less often. */
const circuitOptions = { tolerated: 1, first: 1000, longest: 300_000 }

/** Sorts after every id, in any collation. */
const allIds = 'z'

interface EmbeddingContext extends Context {
  /** Makes vectors of tasks and skills, where the operator has named a service for it. */
  readonly embeddings: Embedder | undefined
}

/**
 * Makes the vectors of new and changed skills, until it is stopped. Skills are followed by their
 * revision; how far they have been followed is kept in the database, so a restart goes on there, and
 * of several nodes one works while the others wait.
 */
export function startEmbedding(ctx: EmbeddingContext): { stop(): Promise<void> } | undefined {
  const { embeddings: embedder } = ctx
  if (!embedder || !ctx.config.services.has('registry')) return undefined
  const circuit = createCircuit(ctx, circuitOptions)
  const holder = ctx.random.uuid()
  let failures = 0

  /** Sees to the next skills; gives whether there may be more. */
  const step = async (signal: AbortSignal): Promise<boolean> => {
    const space = embedder.space ?? (await probe(embedder, signal))
    const current = await currentRevision(ctx.db.read)
    const now = ctx.steadyNow()
    const known = await findProgress(ctx.db.read, space.key)
    const lag = lagOf(known ?? { revision: 0, id: '' }, current)
    ctx.metrics.embeddingLag.set(lag)
    if (known && lag === 0 && known.leasedUntil + touchInterval > now) return false
    if (known && known.holder !== holder && known.leasedUntil >= now) return false
    const taken = { ...space, holder, now, until: now + lease }
    const from = await ctx.db.write((trx) => takeSpace(trx, taken))
    if (!from) return false

    const page = await listEmbeddableAfter(ctx.db.read, space.key, from, pageSize)
    const size = Math.max(1, Math.min(mostTexts, Math.floor(mostNumbers / space.dimension)))
    const { due, seen } = takeDue(page, size)
    const isEnd = seen === page.length && page.length < pageSize
    const made = await makeVectors(due, space.key, signal)
    const last: ChangePlace = page[seen - 1] ?? from
    const to = isEnd ? { revision: Math.max(current, last.revision), id: allIds } : last
    await ctx.db.write(async (trx) => {
      await saveVectors(trx, space.key, made)
      await saveProgress(trx, space.key, holder, to)
    })
    ctx.metrics.embeddedSkills.inc({ outcome: 'embedded' }, made.length)
    ctx.metrics.embeddingLag.set(lagOf(to, current))
    return !isEnd
  }

  const makeVectors = async (
    due: readonly EmbeddableSkill[],
    space: string,
    signal: AbortSignal,
  ) => {
    if (due.length === 0) return []
    const readmes = await findReadmeBeginnings(ctx.db.read, due, clipLength)
    const texts = due.map((skill) => skillText(skill, readmes.get(skill.id) ?? ''))
    const isTogether = failures < failuresOfBatch
    const vectors = isTogether
      ? await embedTogether(embedder, space, texts, signal)
      : await embedEach(embedder, space, texts, signal)
    return due.flatMap((skill, index) => {
      const vector = vectors[index]
      if (vector) return [{ skillId: skill.id, source: sourceOf(skill), vector }]
      ctx.metrics.embeddedSkills.inc({ outcome: 'left_out' })
      ctx.log.warn({ skill: skill.id, space }, 'the embedding service refuses the text of a skill')
      return []
    })
  }

  const look = async (signal: AbortSignal) => {
    if (!circuit.mayTry()) return
    try {
      for (let more = true; more && !signal.aborted; ) {
        more = await step(signal)
        failures = 0
        circuit.succeeded()
      }
    } catch (error) {
      if (signal.aborted) return
      failures++
      ctx.metrics.embeddedSkills.inc({ outcome: 'failed' })
      if (circuit.failed()) ctx.log.warn({ err: error }, 'skills are not embedded, trying again')
    }
  }

  /** Lets other nodes, and this one after its restart, go on at once. */
  const release = async () => {
    const { space } = embedder
    if (!space) return
    try {
      await ctx.db.write((trx) => releaseSpace(trx, space.key, holder, ctx.steadyNow()))
    } catch (error) {
      ctx.log.warn({ err: error }, 'the lease of embeddings stays until it ends')
    }
  }

  const loop = startLoop(interval, look)
  return {
    async stop() {
      await loop.stop()
      await release()
    },
  }
}

/** How many revisions are not seen to the end; one may be of a thousand imported skills. */
const lagOf = ({ revision, id }: ChangePlace, current: number): number =>
  Math.max(0, current - revision + (id === allIds ? 0 : 1))

/** The first skills whose vectors are missing or of another text, and how many had to be seen. */
function takeDue(page: readonly EmbeddableSkill[], most: number) {
  const due: EmbeddableSkill[] = []
  let seen = 0
  for (const skill of page) {
    if (!skill.deleted && sourceOf(skill) !== skill.embeddedSource) {
      if (due.length === most) break
      due.push(skill)
    }
    seen++
  }
  return { due, seen }
}

/** Removes the vectors of models that no node has used for 30 days. */
export async function removeUnusedEmbeddings(ctx: Context): Promise<void> {
  const before = ctx.clock.now() - unusedTime
  await inBatches(ctx.db, removeBatch, (trx, limit) => removeUnusedVectors(trx, before, limit))
}
