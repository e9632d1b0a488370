import type { Context } from '../../context/context.ts'
import type { Catalogue } from './catalogue.ts'
import type { Readmes } from './readmes.ts'
import type { Counters } from './write-behind.ts'

export interface CatalogueContext extends Context {
  /** The skills in memory: records, addresses and the ranking index. */
  readonly catalogue: Catalogue
  readonly readmes: Readmes
  /** Counts that are collected in memory and written in batches. */
  readonly counters: Counters
}
