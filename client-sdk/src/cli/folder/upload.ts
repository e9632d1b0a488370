import type { Client } from '../../client.ts'
import { ValidationError } from '../../registry-error.ts'
import { fourAtATime } from '../four-at-a-time.ts'
import type { PublishedFile } from './read-folder.ts'

/**
 * Publishes with files: the registry is asked first and names those that it lacks, so that only these are
 * sent, and then it is asked again.
 */
export async function withUploads<T>(
  client: Client,
  files: readonly PublishedFile[],
  publish: () => Promise<T>,
): Promise<T> {
  const sent = new Set<string>()
  for (;;) {
    try {
      return await publish()
    } catch (error) {
      // What the registry lacks after it was sent, it says itself.
      const missing = missingIn(error, files).filter(({ digest }) => !sent.has(digest))
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

/** Files whose bytes a refusal asks for: it names each as `files.3.digest`. */
function missingIn(error: unknown, files: readonly PublishedFile[]): PublishedFile[] {
  if (!(error instanceof ValidationError)) return []
  return error.details.flatMap(({ path }) => {
    const [, index] = /^files\.(\d+)\.digest$/.exec(path) ?? []
    return (index !== undefined && files[Number(index)]) || []
  })
}
