import type { RegistryContext } from '../../discovery/context.ts'
import * as store from '../store/blobs.ts'

/** How long an uploaded blob may stay unused before it is removed, in ms. */
export const unusedBlobLifetime = 86_400_000

/** Blobs per transaction, of up to 4 MiB each. */
const batch = 16

export async function removeUnusedBlobs(ctx: Pick<RegistryContext, 'db' | 'clock' | 'objects'>) {
  const before = ctx.clock.now() - unusedBlobLifetime
  for (;;) {
    const { seen, objectKeys } = await ctx.db.write((trx) =>
      store.removeUnusedBlobs(trx, before, batch),
    )
    for (const key of objectKeys) await ctx.objects?.remove(key)
    if (seen < batch) return
  }
}
