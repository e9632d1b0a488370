import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, vi } from 'vitest'
import { z } from 'zod'
import { afterFile } from '../../support/cleanup.ts'
import { ceilingMs } from '../../support/waiting.ts'

/** What the service does with a request. */
export type Mode =
  | 'good'
  | 'silent'
  | 'cut off'
  | '500'
  | '401'
  | 'redirect'
  | 'html'
  | 'echo'
  | 'no data'
  | 'words for numbers'
  | 'one too few'
  | 'one twice'
  | 'one too many'
  | 'sizes that differ'
  | 'empty vectors'
  | 'endless'

export interface EmbeddingService {
  readonly url: string
  mode: Mode
  /** The model that it says it is, and the size of its vectors. */
  model: string
  dimension: number
  /** A text that holds this word is refused, with the whole request. */
  refuses: string | undefined
  /** Every text that it was sent, in order. */
  readonly texts: string[]
  /** Header and body of the last request. */
  authorization: string | undefined
  asked: unknown
}

/** Words that mean the same. */
const meanings = [
  ['car', 'auto', 'motor', 'automobile', 'vehicle', 'engine'],
  ['run', 'running', 'jog', 'marathon'],
  ['cook', 'bake', 'recipe', 'kitchen'],
  ['write', 'prose', 'essay', 'letter'],
]

/** How often a text has words of each meaning, and a number that all texts have in common. */
function embed(text: string, dimension: number): number[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  return Array.from({ length: dimension }, (_, index) => {
    const meaning = meanings[index]
    return meaning ? words.filter((word) => meaning.includes(word)).length : 0.25
  })
}

const Asked = z.object({ model: z.string().optional(), input: z.array(z.string()) })

/** Lengthens the timeouts of the file's servers, so that no request is cut off on a slow machine. */
export function lengthenTimeouts(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  beforeAll(() => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) =>
      timeout(ms < 1000 ? ms : Math.max(ms, ceilingMs)),
    )
  })
  afterAll(() => {
    vi.restoreAllMocks()
  })
}

/** An embedding service on a free port, until the end of the file's tests. */
export async function startEmbeddingService(): Promise<EmbeddingService> {
  const state = {
    mode: 'good' as Mode,
    model: 'small-meaning',
    dimension: 5,
    refuses: undefined as string | undefined,
    texts: [] as string[],
    authorization: undefined as string | undefined,
    asked: undefined as unknown,
  }
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const body: unknown = JSON.parse(text)
    const { input } = Asked.parse(body)
    state.texts.push(...input)
    state.authorization = req.headers.authorization
    state.asked = body
    answer(state, input, res)
  }
  const server = createServer((req, res) => {
    handle(req, res).catch((error: unknown) => {
      // a server that ends, or waits no longer, lets go in the middle of what it asks
      if (req.complete) throw error
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(async () => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return Object.assign(state, { url: `http://127.0.0.1:${port}` })
}

function answer(
  {
    mode,
    model,
    dimension,
    refuses,
  }: Pick<EmbeddingService, 'mode' | 'model' | 'dimension' | 'refuses'>,
  input: readonly string[],
  res: ServerResponse,
): void {
  const data = input.map((text, index) => ({ index, embedding: embed(text, dimension) }))
  const send = (status: number, body: unknown) => {
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }
  if (refuses !== undefined && input.some((text) => text.includes(refuses))) {
    send(400, { error: { message: 'input is too long' } })
    return
  }
  const acts: Record<Mode, () => unknown> = {
    // In any order: the index says whose vector it is.
    good: () => send(200, { object: 'list', model, data: data.toReversed(), usage: {} }),
    silent: () => {},
    'cut off': () => res.writeHead(200).write('{"data":[', () => res.destroy()),
    '500': () => send(500, { model, data }),
    '401': () => send(401, { model, data }),
    redirect: () => res.writeHead(307, { Location: '/elsewhere' }).end(),
    html: () => res.writeHead(200).end('<html>Bad Gateway</html>'),
    echo: () => res.writeHead(200).end(input.join()),
    'no data': () => send(200, { model }),
    'words for numbers': () =>
      send(200, { model, data: input.map((_, index) => ({ index, embedding: ['1', 'NaN'] })) }),
    'one too few': () => send(200, { model, data: data.slice(1) }),
    'one twice': () => send(200, { model, data: [...data, ...data] }),
    'one too many': () =>
      send(200, { model, data: [...data, { index: input.length, embedding: [1] }] }),
    'sizes that differ': () =>
      send(200, { model, data: [...data.slice(1), { index: 0, embedding: [1] }] }),
    'empty vectors': () =>
      send(200, { model, data: input.map((_, index) => ({ index, embedding: [] })) }),
    endless: () => {
      const flood = () => {
        if (!res.destroyed) res.write(' '.repeat(65_536), flood)
      }
      res.writeHead(200)
      flood()
    },
  }
  acts[mode]()
}
