import type { Embedded, Space } from './client.ts'
import type { Embedder } from './embedder.ts'

/** How long the service has for a batch, and for one text, ms. */
const batchTime = 30_000
const textTime = 3000

/** What every model has words for. */
const plainText = 'skill'

const within = (ms: number, signal: AbortSignal) =>
  AbortSignal.any([signal, AbortSignal.timeout(ms)])

/** Asks for a vector that nobody needs: which model answers. Throws when none does. */
export async function probe(embedder: Embedder, signal: AbortSignal): Promise<Space> {
  const { space } = await embedder.embed([plainText], within(batchTime, signal))
  return space
}

/** Vectors of texts by one request. Throws when the service fails or another model answers. */
export async function embedTogether(
  embedder: Embedder,
  space: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Int8Array[]> {
  const embedded = await embedder.embed(texts, within(batchTime, signal))
  return vectorsOf(embedded, space)
}

/**
 * Vectors of texts by one request for each; nothing for those that fail though the service answers for
 * a plain word before and after. Throws when it does not, or when another model answers.
 */
export async function embedEach(
  embedder: Embedder,
  space: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(Int8Array | undefined)[]> {
  await probe(embedder, signal)
  const made: (Int8Array | undefined)[] = []
  for (const text of texts) {
    const asked = embedder.embed([text], within(textTime, signal))
    const embedded = await asked.catch(() => undefined)
    made.push(embedded && vectorsOf(embedded, space)[0])
  }
  if (made.includes(undefined)) await probe(embedder, signal)
  return made
}

function vectorsOf(embedded: Embedded, space: string): readonly Int8Array[] {
  if (embedded.space.key !== space) throw new Error('another embedding model answers')
  return embedded.vectors
}
