import { Resolver } from 'node:dns/promises'
import { bounds, type VerificationClaim } from '@skillpass/contract'
import type { z } from 'zod'
import { agentParty, record } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { errorCode } from '../errors/error-code.ts'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import { sendRequest } from '../runtime/outbound/send-request.ts'
import { dayLength } from '../runtime/time.ts'
import { traceHeaders } from '../runtime/traceparent.ts'
import { createSecret, equalSecrets, hashSecret, parseSecret } from '../secrets/secrets.ts'
import { type AgentRecord, findAgentByUsername } from '../store/agents/agents.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import { findAgentNetwork } from '../store/agents/networks.ts'
import * as store from '../store/agents/verifications.ts'
import { reassignJudgedTexts } from '../store/registry/judged-texts.ts'
import { excludeOwnJudgements } from '../store/registry/judgements.ts'
import {
  findRepositoryAt,
  markAgentVerified,
  ownerExists,
  transferRepositories,
} from '../store/registry/repositories.ts'
import { nextRevision } from '../store/registry/revision.ts'
import { requireLiveCaller } from './api-keys.ts'

const claimLifetime = 7 * dayLength

type Claim = z.output<typeof VerificationClaim>

export const listVerifications = (ctx: Context, agent: Pick<AgentRecord, 'id'>) =>
  store.findVerifications(ctx.db.read, agent.id)

export async function listProven(ctx: Context, agentId: string) {
  const claims = await store.findVerifications(ctx.db.read, agentId)
  return claims.flatMap(({ method, owner, subject, verifiedAt }) =>
    verifiedAt === null ? [] : [{ method, owner, subject, verifiedAt }],
  )
}

/**
 * Creates a claim, whose token is only in this response. Throws NOT_FOUND if nothing was imported
 * from there, FORBIDDEN if the agent cannot make this claim, and CONFLICT if it has too many
 * claims.
 */
export async function createVerification(ctx: Context, agent: KeyHolder, claim: Claim) {
  const token = createSecret('verification', ctx.random)
  const now = ctx.clock.now()
  const created = await ctx.db.write(async (trx) => {
    await requireLiveCaller(ctx, trx, agent)
    const parts = await partsOf(ctx, trx, agent, claim)
    const [createdAt, expiresAt] = [now, now + claimLifetime]
    const record = { id: ctx.random.uuid(), ...parts, createdAt, expiresAt }
    await store.insertVerification(trx, agent.id, { ...record, tokenHash: hashSecret(token) })
    // Count after the insert, which may replace an earlier claim.
    if ((await store.countPending(trx, agent.id, now)) > bounds.openVerifications) {
      fail(
        'CONFLICT',
        `You have ${bounds.openVerifications} unchecked claims, which is the limit. Check them first.`,
      )
    }
    return { ...record, verifiedAt: null }
  })
  return { claim: created, token }
}

/** Returns the subject of a claim and the location of its token. Throws for invalid claims. */
async function partsOf(ctx: Context, db: Db, agent: AgentRecord, claim: Claim) {
  const ownerKey = claim.owner.toLowerCase()
  const namesake = await findAgentByUsername(db, ownerKey)
  if (claim.method === 'file') {
    if (namesake)
      fail('FORBIDDEN', `${claim.owner} is the username of an agent, not an imported owner.`)
    const repository = await findRepositoryAt(db, claim.owner, claim.repo)
    if (!repository) fail('NOT_FOUND', `There is no repository ${claim.owner}/${claim.repo}.`)
    const { owner, name } = repository
    const location = ctx.config.verification.fileUrl
      .replaceAll('{owner}', encodeURIComponent(owner))
      .replaceAll('{repo}', encodeURIComponent(name))
    return { method: 'file' as const, owner, subject: `${owner}/${name}`, location }
  }
  const { domain } = claim
  // A domain proves only an owner of the same name.
  if (namesake?.id !== agent.id && ownerKey !== domain) {
    fail('FORBIDDEN', `The domain ${domain} proves the owner ${domain} or your own username.`)
  }
  if (!namesake && !(await ownerExists(db, ownerKey))) {
    fail('NOT_FOUND', `Nothing was imported from ${claim.owner}.`)
  }
  const location = `_skillpass-challenge.${domain}`
  return { method: 'dns' as const, owner: ownerKey, subject: domain, location }
}

/**
 * Checks the token of a claim. If it is published, marks the claim as verified and transfers
 * imported repositories. Throws NOT_FOUND, or CONFLICT with the reason why the token was not found.
 */
export async function checkVerification(ctx: Context, agent: KeyHolder, id: string) {
  const claim = await store.findVerification(ctx.db.read, agent.id, id)
  if (!claim) fail('NOT_FOUND', 'You have no claim with this id.')
  const now = ctx.clock.now()
  if (claim.verifiedAt !== null) return claim
  if (claim.expiresAt <= now) fail('CONFLICT', 'This claim has expired. Create a new one.')
  const { method, location } = claim
  const readEvidence = method === 'file' ? readFileEvidence : readDnsEvidence
  requireToken(claim, await readEvidence(ctx, location))
  await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    await requireLiveCaller(ctx, trx, agent)
    if (!(await store.markVerified(trx, agent.id, claim, now))) {
      fail(
        'CONFLICT',
        'This claim was replaced or checked by another request. List your claims to see its status.',
      )
    }
    await transferClaimed(trx, agent, claim, revision)
    const who = agentParty(agent.id)
    await record(ctx, trx, { action: 'verification.verified', who, note: claim.subject })
  })
  return { ...claim, verifiedAt: now }
}

/** Throws CONFLICT if no line is the token. */
function requireToken({ location, tokenHash }: store.VerificationRecord, evidence: Evidence): void {
  if ('missing' in evidence) {
    fail('CONFLICT', `The token was not found at ${location}. ${evidence.missing}`)
  }
  const isThere = evidence.lines.some((line) => {
    const secret = parseSecret('verification', line.trim())
    return secret !== undefined && equalSecrets(hashSecret(secret), tokenHash)
  })
  if (!isThere) fail('CONFLICT', `The token was not found at ${location}. No line matches it.`)
}

/** Transfers the claimed repositories. The agent's own votes and stars no longer count there. */
async function transferClaimed(
  trx: Db,
  agent: AgentRecord,
  { method, owner, subject }: store.VerificationRecord,
  revision: number,
): Promise<void> {
  if (method === 'dns' && owner === agent.username) {
    await markAgentVerified(trx, agent.id, subject, revision)
  } else {
    const name = method === 'file' ? subject.split('/')[1] : undefined
    const taking = { owner, name, agentId: agent.id, subject }
    const taken = await transferRepositories(trx, taking, revision)
    for (const id of taken) await reassignJudgedTexts(trx, ['repository_id', id], agent.id)
  }
  const { network } = await findAgentNetwork(trx, agent.id)
  await excludeOwnJudgements(trx, { id: agent.id, network }, revision)
}

/** Lines of the place where a token should be published, or why they cannot be read. */
type Evidence = { readonly lines: readonly string[] } | { readonly missing: string }

/** Follows no redirects: their target may not belong to the repository's owner. */
async function readFileEvidence(ctx: Context, url: string): Promise<Evidence> {
  const response = await sendRequest({
    url,
    headers: {
      Accept: 'text/plain',
      'User-Agent': 'Skillpass-Verification/1',
      ...traceHeaders(ctx.trace),
    },
    allowsPrivate: ctx.config.allowsPrivateWebhooks,
  })
  if (response.kind !== 'answered') return { missing: response.reason }
  if (response.status !== 200)
    return { missing: `The response status is ${response.status}, but 200 is required.` }
  return { lines: response.text.split('\n') }
}

/** Timeout of a DNS query in ms, and number of attempts. */
const dnsOptions = { timeout: 2000, tries: 2 }

async function readDnsEvidence({ config }: Context, name: string): Promise<Evidence> {
  const resolver = new Resolver(dnsOptions)
  const { dnsServers } = config.verification
  if (dnsServers) resolver.setServers([...dnsServers])
  try {
    return { lines: (await resolver.resolveTxt(name)).map((parts) => parts.join('')) }
  } catch (error) {
    const isMissing = ['ENOTFOUND', 'ENODATA'].includes(errorCode(error))
    return {
      missing: isMissing ? 'There is no such TXT record.' : 'The DNS server did not respond.',
    }
  }
}
