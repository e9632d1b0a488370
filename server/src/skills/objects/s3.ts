import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { ObjectStoreAddress } from '../../config/checks.ts'
import { Failure } from '../../errors/failure.ts'
import { messageOf } from '../../errors/message-of.ts'
import type { Random } from '../../runtime/time.ts'
import type { ObjectStore } from './object-store.ts'
import type { Spooled } from './spool.ts'

/** Idle timeout of a request, in ms. */
const idleTimeout = 10_000

/** Attempts per request, and the first delay between two, in ms. The delay doubles. */
const retry = { attempts: 3, delay: 200 } as const

const partBytes = 64 * 1024

/** SHA-256 of the empty string, for signing requests without a body. */
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface ObjectRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly key: string
  readonly headers?: Record<string, string>
  readonly body?: { readonly sha256: string; readonly bytes: Spooled }
}

/**
 * Opens a bucket of an S3-compatible store, addressed by path. Requests are signed with the SHA-256
 * of the body, so the store detects corruption in transit. Throws UNAVAILABLE after three attempts.
 */
export function openS3(store: ObjectStoreAddress, random: Random): ObjectStore {
  return {
    async put(digest, bytes) {
      const sha256 = digest.slice('sha256:'.length)
      // A unique key per upload: removing an unused object never hits a later upload of the same
      // bytes.
      const key = `${store.prefix}${sha256.slice(0, 2)}/${sha256}-${random.uuid()}`
      const headers = { 'content-length': String(bytes.size) }
      const response = await send({ method: 'PUT', key, headers, body: { sha256, bytes } })
      response.resume()
      return key
    },
    async *open(key, { start, end }) {
      yield* await send({ method: 'GET', key, headers: { range: `bytes=${start}-${end - 1}` } })
    },
    async remove(key) {
      const response = await send({ method: 'DELETE', key })
      response.resume()
    },
  }

  /** Retries failures of the network and 5xx responses. Other responses are not retried. */
  async function send(request: ObjectRequest): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await sendOnce(request).catch((error: unknown) => messageOf(error))
      if (typeof outcome !== 'string') {
        const { statusCode = 0 } = outcome
        if (statusCode < 300) return outcome
        if (statusCode === 404 && request.method === 'DELETE') return outcome
        outcome.resume()
        if (statusCode < 500) throw unavailable(`it returned ${statusCode} for ${request.method}`)
      }
      if (attempt === retry.attempts) {
        throw unavailable(
          typeof outcome === 'string' ? outcome : `it returned ${outcome.statusCode}`,
        )
      }
      await pause(retry.delay * 2 ** (attempt - 1))
    }
  }

  async function sendOnce({
    method,
    key,
    headers = {},
    body,
  }: ObjectRequest): Promise<IncomingMessage> {
    const path = key.split('/').map(encodeURIComponent).join('/')
    const signer = new AwsV4Signer({
      ...store,
      service: 's3',
      method,
      url: `${store.url}/${path}`,
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? emptyHash },
    })
    const signed = await signer.sign()
    const open = signed.url.protocol === 'http:' ? httpRequest : httpsRequest
    return new Promise((resolve, reject) => {
      const sent = open(signed.url, {
        method,
        headers: { ...headers, ...Object.fromEntries(signed.headers) },
        timeout: idleTimeout,
      })
      sent.on('response', resolve).on('error', reject)
      sent.on('timeout', () => sent.destroy(new Error(`it was silent for ${idleTimeout / 1000} s`)))
      if (body) writeBytes(sent, body.bytes)
      else sent.end()
    })
  }
}

/** Writes the body in parts and respects backpressure. */
function writeBytes(sent: ClientRequest, bytes: Spooled): void {
  let at = 0
  const write = () => {
    while (at < bytes.size) {
      const part = bytes.read(at, partBytes)
      at += part.length
      if (!sent.write(part)) return
    }
    sent.off('drain', write)
    sent.end()
  }
  sent.on('drain', write)
  write()
}

const unavailable = (why: string) =>
  new Failure('UNAVAILABLE', {
    message: 'The file store is not responding. Try again after Retry-After seconds.',
    retryAfter: 5,
    cause: new Error(`The object store of BLOB_URL failed: ${why}.`),
  })
