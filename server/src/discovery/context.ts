import type { LRUCache } from 'lru-cache'
import type { Context } from '../context/context.ts'
import type { ObjectStore } from '../skills/objects/object-store.ts'
import type { Catalogue } from './catalogue.ts'
import type { Readmes, Signatures } from './versions.ts'
import type { Counters } from './write-behind.ts'

/** Dependencies of the registry's operations. */
export interface RegistryContext extends Context {
  readonly catalogue: Catalogue
  readonly readmes: Readmes
  readonly signatures: Signatures
  readonly counters: Counters
  /** When an installer was last refused an index, by client, on the monotonic clock. */
  readonly refusedClients: LRUCache<string, number>
  /** Store of file contents. Undefined without BLOB_URL; the database then stores them. */
  readonly objects: ObjectStore | undefined
}
