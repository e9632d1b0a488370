import type { Context } from '../../context/context.ts'
import type { ObjectStore } from './object-store.ts'

/** What the operations on files work with. */
export interface BundleContext
  extends Pick<Context, 'config' | 'clock' | 'steadyNow' | 'random' | 'metrics' | 'db' | 'log'> {
  /** Where the bytes of files are kept, where BLOB_URL names a store; else the database keeps them. */
  readonly objects: ObjectStore | undefined
}
