import { createHash } from 'node:crypto'

/** An answer as it is compared: what differs by chance stands as a number. */
export interface Recorded {
  /** Method, address and who asks, for example `GET /search?q=a as member`. */
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Headers that tell of the connection or of the moment. */
const passing = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'])

/** Ids, tokens, codes and numbers of chance; sha256 digests say what they are of and stay. */
const chance =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![\w-])[A-Z]{4}-[A-Z]{4}(?![\w-])|(?<![\w.-])\d{9,12}(?![\w.-])|(?<=")v1,[\w+/=]+|[\w-]*[A-Za-z0-9_-]{20,}/g

const isOfChance = (text: string) =>
  !/^[0-9a-f]{64}$/.test(text) && (/\d/.test(text) || /[a-z][A-Z]|^[A-Z]{4}-/.test(text))

/** Downloads and fetches, which are counted a little later, and what a key of chance begins with. */
const unsteady = /(?<="(?:download|fetch)Count":)\d+|(?<="keyPrefix":")[^"]+/g

/** Numbers what differs by chance in the order in which it stands in an answer. */
function createMask() {
  const known = new Map<string, string>()
  return (text: string) =>
    text.replace(unsteady, '<…>').replace(chance, (found) => {
      if (!isOfChance(found)) return found
      const name = known.get(found) ?? `<${known.size + 1}>`
      known.set(found, name)
      return name
    })
}

/** Records answers in the order in which they are asked for. */
export function createRecorder(send: (path: string, init?: RequestInit) => Promise<Response>) {
  const answers: Recorded[] = []

  return {
    answers,
    /** Asks, records the answer, and gives it. */
    async ask(path: string, init: RequestInit = {}, as = '') {
      const answer = await send(path, init)
      const bytes = Buffer.from(await answer.arrayBuffer())
      const type = answer.headers.get('content-type') ?? ''
      const isText = /^text\/|json|markdown|javascript|svg|xml/.test(type)
      const text = bytes.toString()
      const headers = [...answer.headers].filter(([name]) => !passing.has(name))
      const { method = 'GET', body } = init
      const masked = createMask()
      const sent = typeof body === 'string' ? ` ${body.slice(0, 200)}` : ''
      answers.push({
        request: masked(`${method} ${path}${as && ` as ${as}`}${sent}`),
        status: answer.status,
        headers: Object.fromEntries(headers.map(([name, value]) => [name, masked(value)])),
        body: isText ? masked(text) : createHash('sha256').update(bytes).digest('hex'),
      })
      return { status: answer.status, type, text, headers: answer.headers }
    },
  }
}
