import type { OAuthErrorName } from '@skillpass/contract'
import type { EndReason } from './store/grants.ts'

/** What a token or code is told whose authorization has ended; `otherwise` where no number says why. */
export function endRefusal(reason: EndReason, otherwise: OAuthErrorName): OAuthErrorName {
  if (reason === 'withdrawn') return 'approval_withdrawn'
  return reason === 'owner-removed' ? 'owner_missing' : otherwise
}
