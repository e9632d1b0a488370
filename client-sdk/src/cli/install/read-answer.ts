import { registryRefusal } from '../../refusals.ts'
import { refusalOf } from '../../response.ts'
import { readUpTo, send, type Wire, type WireAnswer } from '../../transport.ts'
import { plain } from '../command.ts'

/** How an address is read. */
export interface Reading {
  /** Most bytes that are read of the answer. */
  readonly limit: number
  readonly accept: string
  readonly wire: Wire
  /** Whether a redirect is an answer; otherwise it is an error. */
  readonly redirects?: boolean
}

/** Most bytes of an answer that says no. */
const longestRefusal = 64 * 1024

/**
 * Reads an address that a registry has given no word in: it follows no redirect and reads no more than
 * `limit`. Returns 200, and redirects if they are wanted; throws the registry's error for any other status.
 */
export async function readAnswer(url: string, reading: Reading): Promise<WireAnswer> {
  const { limit, accept, wire, redirects = false } = reading
  const request = {
    name: `GET ${url}`,
    method: 'GET',
    url,
    headers: new Headers({ accept, 'accept-encoding': 'identity' }),
    body: undefined,
    repeatable: true,
    redirect: 'manual',
  } as const
  const answer = await send(wire, request, {}, (open) =>
    readUpTo(open, open.status === 200 ? limit : longestRefusal),
  )
  const { status } = answer
  const isRedirect = status >= 300 && status < 400
  if (status === 200 || (isRedirect && redirects)) return answer
  throw isRedirect ? notFollowed(url, answer) : refusalOf(request.name, answer, registryRefusal)
}

/** The error for an answer that sends us elsewhere. */
export function notFollowed(url: string, { headers }: Pick<WireAnswer, 'headers'>): Error {
  const where = plain(headers.get('location') ?? 'nowhere')
  return new Error(`${url} leads on to ${where}, which is not followed.`)
}
