import type { RegistryContext } from '../../discovery/context.ts'
import * as store from '../store/blobs.ts'

/** How long bytes are kept that no version names, ms: time to publish what was uploaded. */
export const spareLife = 86_400_000

/** So many files are removed in one transaction: up to 4 MiB each. */
const batch = 16

/** Removes bytes that no version has named for a day, a few files at a time. */
export async function removeSpareBlobs(
  ctx: Pick<RegistryContext, 'db' | 'clock' | 'objects'>,
): Promise<void> {
  const before = ctx.clock.now() - spareLife
  for (;;) {
    const { seen, objectKeys } = await ctx.db.write((trx) =>
      store.removeSpareBlobs(trx, before, batch),
    )
    for (const key of objectKeys) await ctx.objects?.remove(key)
    if (seen < batch) return
  }
}
