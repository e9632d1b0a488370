import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { errorCode } from '../errors/error-code.ts'
import { checkPublicAddress } from './address.ts'
import { isInsideError, publicAgent, publicLookup } from './public-agent.ts'

/** How long an endpoint has, from the look-up of its name to the end of its answer, ms. */
const answerTime = 3000

/** What is read of an answer, bytes. */
const readable = 64 * 1024

const anyHttp = new HttpAgent()
const anyHttps = new HttpsAgent()

export interface Posting {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON to post; absent in a request that only asks. */
  readonly body?: string
  /** Whether the address may be one of this machine and its networks, and http. */
  readonly allowsPrivate: boolean
  readonly signal?: AbortSignal | undefined
  /** Look-up of names, in place of the system's. */
  readonly lookup?: LookupFunction | undefined
}

export type Posted =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  /** Nothing was sent: the address leads where webhooks may not go. */
  | { readonly kind: 'not-allowed'; readonly reason: string }
  /** No answer, or none in time. */
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Posts JSON to an endpoint, or asks one for a text. Redirects are not followed, at most 64 KiB of the
 * answer are read, and all is over after 3 s. Does not throw.
 */
export function sendRequest(posting: Posting): Promise<Posted> {
  const { allowsPrivate } = posting
  if (!URL.canParse(posting.url)) return notAllowed('The address is none.')
  const url = new URL(posting.url)
  const issue = allowsPrivate ? undefined : checkPublicAddress(url)
  if (issue !== undefined) return notAllowed(`The address ${issue}.`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return notAllowed('Not a web address.')
  return new Promise((resolve) => send(posting, url, resolve))
}

const notAllowed = async (reason: string): Promise<Posted> => ({ kind: 'not-allowed', reason })

function send(
  { headers, body, allowsPrivate, signal, lookup }: Posting,
  url: URL,
  resolve: (posted: Posted) => void,
) {
  const isHttps = url.protocol === 'https:'
  const anyAgent = isHttps ? anyHttps : anyHttp
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const request = (isHttps ? httpsRequest : httpRequest)(url, {
    method: bytes ? 'POST' : 'GET',
    agent: allowsPrivate ? anyAgent : publicAgent,
    headers: {
      ...(bytes && { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
      'User-Agent': 'Skillpass-Webhooks/1',
      ...headers,
    },
    lookup: allowsPrivate ? lookup : publicLookup(lookup),
  })
  const end = (posted: Posted) => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    resolve(posted)
    request.destroy()
  }
  const fails = (reason: string) => end({ kind: 'failed', reason })
  const timer = setTimeout(() => fails('No whole answer came within 3 seconds.'), answerTime)
  const onAbort = () => fails('The attempt was broken off.')
  signal?.addEventListener('abort', onAbort)
  request.on('error', (error) => end(explain(error)))
  request.on('response', (response) => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = () => {
      const text = Buffer.concat(chunks).subarray(0, readable).toString('utf8')
      end({ kind: 'answered', status: response.statusCode ?? 0, text })
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      // What is too long to be read is judged by its status.
      if (length >= readable) finish()
    })
    response.on('end', finish)
    response.on('error', () => fails('The answer broke off.'))
  })
  if (signal?.aborted) onAbort()
  else request.end(bytes)
}

/** Words for the usual errors. Others are not told: they may name addresses of this network. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  ENOTFOUND: 'The name of the host is not known.',
  EAI_AGAIN: 'The name of the host could not be looked up.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ETIMEDOUT: 'The connection was not made in time.',
  EPROTO: 'TLS could not be agreed on.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate cannot be verified.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host.',
}

function explain(error: Error): Posted {
  if (isInsideError(error)) {
    return { kind: 'not-allowed', reason: 'The host does not lead to the internet.' }
  }
  const code = errorCode(error)
  const isAnswer = code.startsWith('HPE_')
  const reason = reasons[code] ?? (isAnswer ? 'The answer is not HTTP.' : 'The connection failed.')
  return { kind: 'failed', reason }
}
