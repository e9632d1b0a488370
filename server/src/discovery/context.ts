import type { Context } from '../context/context.ts'
import type { ObjectStore } from '../skills/objects/object-store.ts'
import type { Catalogue } from './catalogue.ts'
import type { Readmes } from './readmes.ts'
import type { Signatures } from './signatures.ts'
import type { Counters } from './write-behind.ts'

/** What the operations of the registry work with. */
export interface RegistryContext extends Context {
  /** The skills in memory: records, addresses and the ranking index. */
  readonly catalogue: Catalogue
  readonly readmes: Readmes
  readonly signatures: Signatures
  /** Counts that are collected in memory and written in batches. */
  readonly counters: Counters
  /** Where the bytes of files are kept, where BLOB_URL names a store; else the database keeps them. */
  readonly objects: ObjectStore | undefined
}
