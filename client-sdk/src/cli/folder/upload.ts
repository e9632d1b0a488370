import type { Client } from '../../client.ts'
import { ValidationError } from '../../registry-error.ts'
import { fourAtATime } from '../four-at-a-time.ts'
import type { PublishedFile } from './read-folder.ts'

/** Publishes. If the registry reports missing files, uploads them and publishes again. */
export async function publishWithUploads<T>(
  client: Client,
  files: readonly PublishedFile[],
  publish: () => Promise<T>,
): Promise<T> {
  const sent = new Set<string>()
  for (;;) {
    try {
      return await publish()
    } catch (error) {
      // If the registry still reports an uploaded file, throw its error.
      const missing = missingFiles(error, files).filter(({ digest }) => !sent.has(digest))
      if (missing.length === 0) throw error
      const once = new Map(missing.map((file) => [file.digest, file]))
      await fourAtATime(once.values(), async ({ digest, bytes: body }) => {
        const params = { sha256: digest.slice('sha256:'.length) }
        await client.registry.blobs.upload({ params, body })
      })
      for (const digest of once.keys()) sent.add(digest)
    }
  }
}

/** Returns the files that the registry does not have. Its error lists each as `files.3.digest`. */
function missingFiles(error: unknown, files: readonly PublishedFile[]): PublishedFile[] {
  if (!(error instanceof ValidationError)) return []
  return error.details.flatMap(({ path }) => {
    const [, index] = /^files\.(\d+)\.digest$/.exec(path) ?? []
    return (index !== undefined && files[Number(index)]) || []
  })
}
