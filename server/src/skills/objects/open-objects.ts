import type { Config } from '../../config/config.ts'
import type { Random } from '../../runtime/time.ts'
import type { ObjectStore } from './object-store.ts'

/** Where the files of skills are kept, if not in the database. */
export async function openObjects(
  { blobStore }: Pick<Config, 'blobStore'>,
  random: Random,
): Promise<ObjectStore | undefined> {
  if (!blobStore) return undefined
  const { openS3 } = await import('./s3.ts')
  return openS3(blobStore, random)
}
