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

/** How long the store may be silent, ms. */
const silence = 10_000

/** How often a request is sent, and the first wait between two, ms; later ones double. */
const tries = { most: 3, wait: 200 } as const

/** Parts in which bytes are sent. */
const partBytes = 64 * 1024

/** SHA-256 of nothing, as requests without a body are signed. */
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Asked {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly key: string
  readonly headers?: Record<string, string>
  readonly body?: { readonly sha256: string; readonly bytes: Spooled }
}

/**
 * Objects in a bucket of an S3-compatible store, addressed by path. What is sent is signed with its
 * SHA-256, so that the store refuses bytes that were changed on the way. UNAVAILABLE where it does not
 * answer after three tries.
 */
export function openS3(store: ObjectStoreAddress, random: Random): ObjectStore {
  return {
    async put(digest, bytes) {
      const sha256 = digest.slice('sha256:'.length)
      // A key of its own: who removes what nobody names cannot hit bytes that have come again.
      const key = `${store.prefix}${sha256.slice(0, 2)}/${sha256}-${random.uuid()}`
      const headers = { 'content-length': String(bytes.size) }
      const answer = await send({ method: 'PUT', key, headers, body: { sha256, bytes } })
      answer.resume()
      return key
    },
    async *open(key, { start, end }) {
      yield* await send({ method: 'GET', key, headers: { range: `bytes=${start}-${end - 1}` } })
    },
    async remove(key) {
      const answer = await send({ method: 'DELETE', key })
      answer.resume()
    },
  }

  /** Sends until the store takes it; a refusal is not tried again. */
  async function send(asked: Asked): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await sendOnce(asked).catch((error: unknown) => messageOf(error))
      if (typeof outcome !== 'string') {
        const { statusCode = 0 } = outcome
        if (statusCode < 300) return outcome
        if (statusCode === 404 && asked.method === 'DELETE') return outcome
        outcome.resume()
        if (statusCode < 500) throw away(`it answered ${statusCode} to ${asked.method}`)
      }
      if (attempt === tries.most) {
        throw away(typeof outcome === 'string' ? outcome : `it answered ${outcome.statusCode}`)
      }
      await pause(tries.wait * 2 ** (attempt - 1))
    }
  }

  async function sendOnce({ method, key, headers = {}, body }: Asked): Promise<IncomingMessage> {
    const path = key.split('/').map(encodeURIComponent).join('/')
    const signer = new AwsV4Signer({
      ...store,
      service: 's3',
      method,
      url: `${store.url}/${path}`,
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? emptyHash },
    })
    const signed = await signer.sign()
    const request = signed.url.protocol === 'http:' ? httpRequest : httpsRequest
    return new Promise((resolve, reject) => {
      const sent = request(signed.url, {
        method,
        headers: { ...headers, ...Object.fromEntries(signed.headers) },
        timeout: silence,
      })
      sent.on('response', resolve).on('error', reject)
      sent.on('timeout', () => sent.destroy(new Error(`it was silent for ${silence / 1000} s`)))
      if (body) writeBytes(sent, body.bytes)
      else sent.end()
    })
  }
}

/** Writes as the store takes it, a part at a time. */
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

const away = (why: string) =>
  new Failure('UNAVAILABLE', {
    message: 'The store of files does not answer; try again after Retry-After seconds.',
    retryAfter: 5,
    cause: new Error(`The store of BLOB_URL failed: ${why}.`),
  })
