import { randomBytes, randomUUID } from 'node:crypto'

/** A cryptographically secure random source. Tests replace it. */
export interface Random {
  bytes(length: number): Uint8Array
  uuid(): string
}

export const systemRandom: Random = { bytes: randomBytes, uuid: randomUUID }
