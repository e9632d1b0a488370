import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Failure } from '../errors/failure.ts'
import { messageOf } from '../errors/message-of.ts'
import type { Random } from '../secrets/random.ts'
import type { ObjectStoreAddress } from './config/checks.ts'
import type { Config } from './config/config.ts'
import type { Spooled } from './spool.ts'
import { within } from './within.ts'

/** A byte range. `end` is exclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Storage for bytes outside the database. */
export type ObjectStore = ReturnType<typeof openS3>

/** Time limit of a response, in ms. */
const responseTime = 10_000

/** Attempts per request, and the first delay between two, in ms. The delay doubles. */
const retry = { attempts: 3, delay: 200 } as const

/** SHA-256 of the empty string, for signing requests without a body. */
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface ObjectRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly key: string
  readonly range?: string
  readonly body?: { readonly sha256: string; readonly bytes: Uint8Array<ArrayBuffer> }
}

/** Opens the object store of BLOB_URL. Returns undefined if files are stored in the database. */
export const openObjects = ({ blobStore }: Pick<Config, 'blobStore'>, random: Random) =>
  blobStore && openS3(blobStore, random)

/**
 * Opens a bucket of an S3-compatible store, addressed by path. Requests are signed with the SHA-256
 * of the body, so the store detects corruption in transit. Throws UNAVAILABLE after three attempts.
 */
function openS3(store: ObjectStoreAddress, random: Random) {
  return {
    /** Stores bytes under a new, unique key and returns it. */
    async put(digest: string, bytes: Spooled) {
      const sha256 = digest.slice('sha256:'.length)
      // A unique key per upload: removing an unused object never hits a later upload of the same
      // bytes.
      const key = `${store.prefix}${sha256.slice(0, 2)}/${sha256}-${random.uuid()}`
      // A file has at most 4 MiB, so it fits in memory.
      await send({ method: 'PUT', key, body: { sha256, bytes: bytes.read(0, bytes.size) } })
      return key
    },
    async *open(key: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
      const { body } = await send({ method: 'GET', key, range: `bytes=${start}-${end - 1}` })
      if (body) yield* body
    },
    /** Removes an object. Succeeds if it does not exist. */
    async remove(key: string) {
      await send({ method: 'DELETE', key })
    },
  }

  /** Retries failures of the network and 5xx responses. Other responses are not retried. */
  async function send(request: ObjectRequest): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await sendOnce(request).catch(reasonOf)
      if (typeof outcome !== 'string') {
        const { ok, status } = outcome
        if (ok || (status === 404 && request.method === 'DELETE')) return outcome
        if (status < 500) throw unavailable(`it returned ${status} for ${request.method}`)
      }
      if (attempt === retry.attempts) {
        throw unavailable(typeof outcome === 'string' ? outcome : `it returned ${outcome.status}`)
      }
      await pause(retry.delay * 2 ** (attempt - 1))
    }
  }

  async function sendOnce({ method, key, range, body }: ObjectRequest): Promise<Response> {
    const path = key.split('/').map(encodeURIComponent).join('/')
    const signer = new AwsV4Signer({
      ...store,
      service: 's3',
      method,
      url: `${store.url}/${path}`,
      headers: { 'x-amz-content-sha256': body?.sha256 ?? emptyHash, ...(range && { range }) },
    })
    const { url, headers } = await signer.sign()
    const sent = fetch(url, { method, headers, body: body?.bytes ?? null })
    return within(sent, responseTime, `it was silent for ${responseTime / 1000} s`)
  }
}

/** `fetch` hides the reason of a failure in its cause. */
const reasonOf = (error: unknown) =>
  messageOf(error instanceof Error ? (error.cause ?? error) : error)

const unavailable = (why: string) =>
  new Failure('UNAVAILABLE', {
    message: 'The file store is not responding. Try again after Retry-After seconds.',
    retryAfter: 5,
    cause: new Error(`The object store of BLOB_URL failed: ${why}.`),
  })
