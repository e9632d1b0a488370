import { bounds } from '@skillpass/contract'
import { requireLiveCaller } from '../../agents/key-status.ts'
import { type ReportQuotas, spendQuotas } from '../../agents/quotas.ts'
import type { KeyHolder } from '../../agents/store/api-keys.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { refuseField } from '../../errors/failure.ts'
import { spool } from '../objects/spool.ts'
import { insertUpload } from '../store/blobs.ts'
import { storeBlob } from './blob.ts'

/**
 * Stores the bytes of a file under their SHA-256, 64 hexadecimal digits. Throws VALIDATION_ERROR if
 * the bytes have another digest. Blobs that no version uses are removed after a day.
 */
export async function uploadBlob(
  ctx: RegistryContext,
  agent: KeyHolder,
  { sha256, body }: { sha256: string; body: AsyncIterable<Uint8Array> },
  reportQuotas: ReportQuotas,
): Promise<{ digest: string; size: number }> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    refuseField('path', 'sha256', 'must be 64 lowercase hexadecimal digits')
  }
  return spool(body, bounds.blobBytes, async (spooled) => {
    const { sha256: received, size } = spooled
    if (received !== sha256) {
      const message = `the received bytes have the SHA-256 ${received} (${size} bytes), not ${sha256}`
      refuseField('body', '', message)
    }
    const digest = `sha256:${sha256}`
    await storeBlob(ctx, digest, spooled, async (trx) => {
      await requireLiveCaller(ctx, trx, agent)
      // Bytes of others cost the same, so that the quota does not tell that they exist.
      if (!(await insertUpload(trx, { digest, agentId: agent.id }))) return
      await spendQuotas(ctx, trx, agent.id, { files: size }, reportQuotas)
    })
    return { digest, size }
  })
}
