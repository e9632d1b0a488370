import type { Config } from '../../config/config.ts'
import type { Random } from '../../runtime/time.ts'
import type { ObjectStore } from './object-store.ts'

/** Opens the object store of BLOB_URL. Returns undefined if files are stored in the database. */
export async function openObjects(
  { blobStore }: Pick<Config, 'blobStore'>,
  random: Random,
): Promise<ObjectStore | undefined> {
  if (!blobStore) return undefined
  const { openS3 } = await import('./s3.ts')
  return openS3(blobStore, random)
}
