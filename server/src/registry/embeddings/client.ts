import { createHash } from 'node:crypto'
import { z } from 'zod'
import { quantise } from './vector.ts'

/** Where texts become vectors: an endpoint in the words of OpenAI's `POST /v1/embeddings`. */
export interface EmbeddingService {
  readonly url: string
  /** The model to ask for; a service that has one alone needs no name. */
  readonly model: string | undefined
  /** Sent as a Bearer token. */
  readonly apiKey: string | undefined
}

/** What makes vectors comparable: those of another model or size say nothing to each other. */
export interface Space {
  /** 16 hexadecimal digits, the same for the same model on every node. */
  readonly key: string
  /** Name of the model, for people. */
  readonly model: string
  readonly dimension: number
}

/** Vectors in the order of their texts. */
export interface Embedded {
  readonly space: Space
  readonly vectors: readonly Int8Array[]
}

/** What is read of an answer, bytes. A larger one would hold the event loop while it is parsed. */
const readable = 1024 * 1024
const largestDimension = 8192

const Answer = z.object({
  model: z.string().max(200).nullish().catch(undefined),
  data: z.array(
    z.object({
      index: z.number().int(),
      embedding: z.array(z.number()).min(1).max(largestDimension),
    }),
  ),
})

/**
 * Has texts made into vectors; `further` headers are sent along. Redirects are not followed. Throws when the service does not answer,
 * refuses, or answers anything but one vector for each text, all of one size, in at most 1 MiB; the
 * error never holds a text.
 */
export async function requestEmbeddings(
  service: EmbeddingService,
  input: readonly string[],
  signal: AbortSignal,
  further: Readonly<Record<string, string>> = {},
): Promise<Embedded> {
  const { url, model, apiKey } = service
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': 'Skillpass-Embeddings/1',
      ...further,
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, input, encoding_format: 'float' }),
    redirect: 'manual',
    signal,
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the embedding service answers ${response.status}`)
  }
  const answer = Answer.safeParse(parse(await readBounded(response)))
  if (!answer.success) throw new Error('the answer of the embedding service is no list of vectors')
  return read(service, answer.data, input.length)
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > readable) throw new Error('the answer of the embedding service is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own error quotes the answer, and that may quote a task.
    throw new Error('the answer of the embedding service is no JSON')
  }
}

function read(
  service: EmbeddingService,
  { model, data }: z.output<typeof Answer>,
  count: number,
): Embedded {
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]))
  const dimension = data[0]?.embedding.length ?? 0
  const vectors: Int8Array[] = []
  for (let index = 0; index < count; index++) {
    const embedding = byIndex.get(index)
    if (embedding?.length !== dimension || data.length !== count) {
      throw new Error('the embedding service does not answer one vector of one size for each text')
    }
    vectors.push(quantise(embedding))
  }
  return { space: spaceOf(service, model ?? undefined, dimension), vectors }
}

/** Without a name that the operator gave, the address stands for the model. */
function spaceOf(service: EmbeddingService, answered: string | undefined, dimension: number) {
  const identity = JSON.stringify([service.model ?? service.url, answered ?? null, dimension])
  const key = createHash('sha256').update(identity).digest('hex').slice(0, 16)
  return { key, model: answered ?? service.model ?? 'unnamed', dimension }
}
