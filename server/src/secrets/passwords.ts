import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Random } from './random.ts'

/** Cost of a scrypt hash: 32 MiB of memory, about 150 ms on a typical server. Tests lower it. */
export const cost = { N: 2 ** 15, r: 8, p: 3 }
/** A cost for passwords that protect nothing, about a hundredth. */
export const lowCost = { N: 2 ** 10, r: 8, p: 1 }
const keyLength = 32
const saltLength = 16

/** The source of a hash, for rate limiting. */
interface Claim {
  /** A client address, or the account whose app creates the user. */
  readonly source: string
  /** Cancels a hash that has not started. */
  readonly signal?: AbortSignal | undefined
}

const stored = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

export type Passwords = ReturnType<typeof createPasswords>

/**
 * Creates the hashing of a server's passwords. At most two hashes run at a time. Each source has at
 * most two of them running or next in line, so many sign-ins from one address delay others by at
 * most two hashes. Waiting hashes are not limited.
 */
export function createPasswords(random: Random, ownCost = cost) {
  const limitSource = createConcurrencyLimit(2)
  const limitAll = createConcurrencyLimit(2)
  return {
    /** Returns a hash with its parameters and salt. Throws the reason of an aborted signal. */
    async hash(password: string, claim: Claim) {
      const salt = Buffer.from(random.bytes(saltLength))
      const key = await derive(password, salt, keyLength, ownCost, claim)
      const { N, r, p } = ownCost
      const parameters = `ln=${Math.log2(N)},r=${r},p=${p}`
      return `$scrypt$${parameters}$${encode(salt)}$${encode(key)}`
    },
    /** Whether a password matches. Without a hash it takes the same time and returns false. */
    async verify(password: string, hash: string | undefined, claim: Claim) {
      const [, ln, r, p, salt = '', key = ''] = stored.exec(hash ?? '') ?? []
      if (ln === undefined) {
        await derive(password, Buffer.alloc(saltLength), keyLength, ownCost, claim)
        return false
      }
      const expected = Buffer.from(key, 'base64')
      const options = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
      const saltBytes = Buffer.from(salt, 'base64')
      const actual = await derive(password, saltBytes, expected.length, options, claim)
      return timingSafeEqual(actual, expected)
    },
  }

  async function derive(
    password: string,
    salt: Buffer,
    length: number,
    options: typeof cost,
    { source, signal }: Claim,
  ) {
    const bounded = { ...options, maxmem: 256 * options.N * options.r }
    // NFKC, because keyboards compose characters differently.
    const normalized = password.normalize('NFKC')
    const hash = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
    return limitSource(source, () =>
      limitAll('', async () => {
        signal?.throwIfAborted()
        return hash(normalized, salt, length, bounded)
      }),
    )
  }
}

const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** Limits how much work of a key runs at once. Further work waits in order of arrival. */
function createConcurrencyLimit(max: number) {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < max) queue.running++
    else await new Promise<void>((begin) => queue.waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) queues.delete(key)
    }
  }
}
