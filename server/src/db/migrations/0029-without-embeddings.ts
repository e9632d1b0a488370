import type { Db } from '../handle.ts'
import { up as createEmbeddings, down as dropEmbeddings } from './0006-embeddings.ts'

/** Skills no longer have vectors. */
export const up: (trx: Db) => Promise<void> = dropEmbeddings

export const down: (trx: Db) => Promise<void> = createEmbeddings
