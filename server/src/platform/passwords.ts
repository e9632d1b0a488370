import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import type { Random } from '../context.ts'
import { Failure } from '../errors.ts'

/** About 150 ms and 32 MiB per hash: dear to guess with, and two at once leave room for the rest. */
const cost = { N: 2 ** 15, r: 8, p: 3 }
const keyLength = 32
const saltLength = 16

/** Seconds after which the queue has moved. */
const retryAfter = 2

const stored = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** The stored form of a password, with its parameters and salt. Throws UNAVAILABLE when too many wait. */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = Buffer.from(random.bytes(saltLength))
  const key = await derive(password, salt, keyLength, cost)
  const parameters = `ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}`
  return `$scrypt$${parameters}$${encode(salt)}$${encode(key)}`
}

/**
 * The same for users whom apps add: one at a time and a short queue of their own, so that whoever
 * signs in need not wait behind a list of new users.
 */
export const hashNewPassword = (password: string, random: Random): Promise<string> =>
  newUsers(() => hashPassword(password, random))

/**
 * Whether it is the password that `hash` was made of. Without a hash, as for a user that is not
 * known, it takes the same time and is false. Throws UNAVAILABLE when too many wait.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, ln, r, p, salt = '', key = ''] = stored.exec(hash ?? '') ?? []
  if (ln === undefined) {
    await derive(password, Buffer.alloc(saltLength), keyLength, cost)
    return false
  }
  const expected = Buffer.from(key, 'base64')
  const options = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  const actual = await derive(password, Buffer.from(salt, 'base64'), expected.length, options)
  return timingSafeEqual(actual, expected)
}

const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** One text however the keyboard composed it. */
const normalise = (password: string) => password.normalize('NFKC')

async function derive(password: string, salt: Buffer, length: number, options: typeof cost) {
  const maxmem = 256 * options.N * options.r
  return inTurn(() => scryptKey(normalise(password), salt, length, { ...options, maxmem }))
}

const scryptKey = (password: string, salt: Buffer, length: number, options: ScryptOptions) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)))
  })

/** Runs up to `most` works at once and lets `queue` more wait. Throws UNAVAILABLE for all others. */
function createTurns(most: number, queue: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running++
    else if (waiting.length < queue) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw new Failure('UNAVAILABLE', { retryAfter })
    try {
      return await work()
    } finally {
      // A turn is handed on as it is, so that nobody takes it in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** All hashes: those that wait take about a second and a half. */
const inTurn = createTurns(2, 16)
const newUsers = createTurns(1, 4)
