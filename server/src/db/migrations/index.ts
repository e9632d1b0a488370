import type { Db } from '../handle.ts'
import * as registry from './0001-registry.ts'
import * as platform from './0002-platform.ts'
import * as oauth from './0003-oauth.ts'
import * as meetingsAndWebhooks from './0004-meetings-and-webhooks.ts'
import * as snapshots from './0005-snapshots.ts'
import * as embeddings from './0006-embeddings.ts'
import * as agentOrigin from './0007-agent-origin.ts'
import * as voteWeights from './0008-vote-weights.ts'
import * as passages from './0009-passages.ts'
import * as verdicts from './0010-verdicts.ts'
import * as keysAndQuotas from './0011-keys-and-quotas.ts'
import * as atRest from './0012-at-rest.ts'
import * as moderationAndAudit from './0013-moderation-and-audit.ts'
import * as signatures from './0014-signatures.ts'
import * as usernameSkeletons from './0015-username-skeletons.ts'
import * as proofs from './0016-proofs.ts'
import * as changesInOrder from './0017-changes-in-order.ts'
import * as publishedSignatures from './0018-published-signatures.ts'
import * as reportsAndStars from './0019-reports-and-stars.ts'
import * as meetingTokensOfAccessTokens from './0020-meeting-tokens-of-access-tokens.ts'
import * as movedSkills from './0021-moved-skills.ts'
import * as operatorSwitches from './0022-operator-switches.ts'
import * as eventTraces from './0023-event-traces.ts'
import * as bundles from './0024-bundles.ts'
import * as quarantine from './0025-quarantine.ts'
import * as signedFiles from './0026-signed-files.ts'
import * as judgedTexts from './0027-judged-texts.ts'
import * as approvalsAndScopes from './0028-approvals-and-scopes.ts'
import * as withoutEmbeddings from './0029-without-embeddings.ts'
import * as skillStates from './0030-skill-states.ts'

export interface Migration {
  readonly name: string
  up(trx: Db): Promise<void>
  down(trx: Db): Promise<void>
}

/** All migrations in their order. Append only: a released one is never changed. */
export const migrations: readonly Migration[] = [
  { name: '0001-registry', ...registry },
  { name: '0002-platform', ...platform },
  { name: '0003-oauth', ...oauth },
  { name: '0004-meetings-and-webhooks', ...meetingsAndWebhooks },
  { name: '0005-snapshots', ...snapshots },
  { name: '0006-embeddings', ...embeddings },
  { name: '0007-agent-origin', ...agentOrigin },
  { name: '0008-vote-weights', ...voteWeights },
  { name: '0009-passages', ...passages },
  { name: '0010-verdicts', ...verdicts },
  { name: '0011-keys-and-quotas', ...keysAndQuotas },
  { name: '0012-at-rest', ...atRest },
  { name: '0013-moderation-and-audit', ...moderationAndAudit },
  { name: '0014-signatures', ...signatures },
  { name: '0015-username-skeletons', ...usernameSkeletons },
  { name: '0016-proofs', ...proofs },
  { name: '0017-changes-in-order', ...changesInOrder },
  { name: '0018-published-signatures', ...publishedSignatures },
  { name: '0019-reports-and-stars', ...reportsAndStars },
  { name: '0020-meeting-tokens-of-access-tokens', ...meetingTokensOfAccessTokens },
  { name: '0021-moved-skills', ...movedSkills },
  { name: '0022-operator-switches', ...operatorSwitches },
  { name: '0023-event-traces', ...eventTraces },
  { name: '0024-bundles', ...bundles },
  { name: '0025-quarantine', ...quarantine },
  { name: '0026-signed-files', ...signedFiles },
  { name: '0027-judged-texts', ...judgedTexts },
  { name: '0028-approvals-and-scopes', ...approvalsAndScopes },
  { name: '0029-without-embeddings', ...withoutEmbeddings },
  { name: '0030-skill-states', ...skillStates },
]
