import type { registryContract } from '@skillpass/contract'
import { decodeJwt, type JWTPayload } from 'jose'
import { z } from 'zod'
import { type AuditAction, agentParty, record } from '../audit/record.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import type { Db } from '../db/open.ts'
import { Failure, fail, refuseField } from '../errors/failure.ts'
import { useOfJwt, verifyJwt } from '../runtime/outbound/verify-jwt.ts'
import { createSecret, hashSecret, secretPrefix } from '../secrets/secrets.ts'
import { insertApiKey, type KeyHolder } from '../store/agents/api-keys.ts'
import { findRole } from '../store/agents/members.ts'
import * as store from '../store/agents/trusted-publishers.ts'
import { insertClientAssertion } from '../store/oauth/expired.ts'
import { failBlocked, findLimits, requireLiveCaller } from './api-keys.ts'

type Contract = (typeof registryContract)['trustedPublishers']
type Creation = z.output<Contract['create']['body']>
type Exchange = z.output<Contract['exchange']['body']>

/** Lifetime of a key that a job receives, and the maximum age of its token, seconds. */
const [keyLifetime, maxTokenAge] = [900, 3600]

/** Lists the workflows that an owner trusts, by default those of the caller. */
export async function listTrustedPublishers(
  ctx: RegistryContext,
  caller: KeyHolder,
  owner?: string,
) {
  const { ownerId } = await findLimits(ctx.db.read, caller, owner ?? caller.username, 'owner')
  return store.listTrustedPublishers(ctx.db.read, ownerId)
}

export const createTrustedPublisher = (ctx: RegistryContext, caller: KeyHolder, input: Creation) =>
  ctx.db.write(async (trx) => {
    const { trustedIssuers } = ctx.config
    if (!trustedIssuers.includes(input.issuer)) {
      refuseField('body', 'issuer', `must be one of ${trustedIssuers.join(', ')}`)
    }
    await requireLiveCaller(ctx, trx, caller)
    const to = input.limitedTo ?? caller.username
    const { ownerId, limitRepositoryId, limitedTo } = await findLimits(trx, caller, to, 'owner')
    const publisher = {
      ...input,
      id: ctx.random.uuid(),
      ownerId,
      repositoryId: limitRepositoryId,
      sourceRepository: input.repository,
      environment: input.environment ?? null,
      createdBy: caller.id,
      createdAt: ctx.clock.now(),
    }
    await store.insertTrustedPublisher(trx, publisher)
    await note(ctx, trx, caller, 'trusted-publisher.created', publisher)
    return { ...publisher, limitedTo }
  })

export const deleteTrustedPublisher = (ctx: RegistryContext, caller: KeyHolder, id: string) =>
  ctx.db.write(async (trx) => {
    await requireLiveCaller(ctx, trx, caller)
    const found = await store.findTrustedPublisher(trx, id)
    const owned = found && {
      agentId: found.ownerId,
      ...(found.repositoryId && { id: found.repositoryId }),
    }
    if (!found || !owned || (await findRole(trx, caller, owned)) !== 'owner') {
      fail('NOT_FOUND', 'You have no trusted publisher with this id.')
    }
    await store.deleteTrustedPublisher(trx, id)
    await note(ctx, trx, caller, 'trusted-publisher.deleted', found)
    return { id, deleted: true as const }
  })

const note = (
  ctx: RegistryContext,
  trx: Db,
  caller: KeyHolder,
  action: AuditAction,
  { ownerId, sourceRepository, workflow }: store.TrustedPublisherRecord,
) =>
  record(ctx, trx, {
    action,
    who: agentParty(caller.id),
    whom: agentParty(ownerId),
    note: `${sourceRepository} ${workflow}`,
  })

/** Creates a key for the job whose OIDC token is valid and whose workflow an owner trusts. */
export async function exchangeToken(ctx: RegistryContext, { token, limitedTo }: Exchange) {
  const claims = await verifyToken(ctx, token)
  const source = sourceOf(claims)
  const key = createSecret('apiKey', ctx.random)
  return ctx.db.write(async (trx) => {
    const trusting = (await store.findTrusting(trx, source)).filter(
      (one) =>
        one.workflow === source.workflow &&
        (one.environment ?? source.environment) === source.environment &&
        isWithin(limitedTo ?? one.limitedTo, one.limitedTo),
    )
    const [publisher, other] = trusting
    if (!publisher) {
      fail(
        'FORBIDDEN',
        `Nobody trusts the workflow ${source.workflow} of ${source.repository}${limitedTo ? ` for ${limitedTo}` : ''}. Add it as a trusted publisher.`,
      )
    }
    if (other) {
      const names = trusting.map((one) => one.limitedTo).join(', ')
      fail('CONFLICT', `Several owners trust this workflow. Set limitedTo to one of ${names}.`)
    }
    if (publisher.blockedReason !== null) failBlocked(publisher.blockedReason)
    if (!(await insertClientAssertion(trx, useOfJwt(source.issuer, claims)))) {
      fail('UNAUTHORIZED', 'The token was already used. Request a new one from the issuer.')
    }
    const { ownerId, repositoryId } = publisher
    const made = {
      id: ctx.random.uuid(),
      name: `${source.repository} ${source.workflow}`.slice(0, 100),
      keyPrefix: secretPrefix(key),
      access: 'publish' as const,
      expiresAt: ctx.steadyNow() + keyLifetime * 1000,
      isRegistration: 0 as const,
      limitOwnerId: repositoryId === null ? ownerId : null,
      limitRepositoryId: repositoryId,
      createdAt: ctx.clock.now(),
    }
    const { commit: sourceCommit } = source
    await insertApiKey(trx, { ...made, agentId: ownerId, keyHash: hashSecret(key), sourceCommit })
    await record(ctx, trx, {
      action: 'api-key.created',
      who: agentParty(ownerId),
      whom: { kind: 'api-key', id: made.id },
      note: `trusted publishing: ${made.name}`,
    })
    return { ...made, key, limitedTo: publisher.limitedTo }
  })
}

/** Whether one address is the other, its owner or a repository of it. */
function isWithin(...addresses: [string, string]): boolean {
  const [a, b] = addresses.map((address) => `${address.toLowerCase()}/`)
  return `${a}`.startsWith(`${b}`) || `${b}`.startsWith(`${a}`)
}

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.string() })

/** Returns the claims of a token that an allowed issuer made for this registry. */
async function verifyToken(ctx: RegistryContext, token: string): Promise<JWTPayload> {
  const issuer = issuerOf(token)
  if (!ctx.config.trustedIssuers.includes(issuer)) {
    fail(
      'UNAUTHORIZED',
      `The token is not of an issuer that this registry trusts: ${ctx.config.trustedIssuers.join(', ')}.`,
    )
  }
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const fetched = await ctx.fetchJson(url, { address: ctx.address })
  if ('reason' in fetched) {
    if (fetched.retryAfter) throw new Failure(429, { retryAfter: fetched.retryAfter })
    fail('UNAUTHORIZED', `The service cannot fetch ${url}. ${fetched.reason}`)
  }
  const { data } = Discovery.safeParse(fetched.json)
  if (data?.issuer !== issuer) fail('UNAUTHORIZED', `${url} is not a document of the issuer.`)
  const names = { jwt: 'token', signer: 'issuer' } as const
  const claims = await verifyJwt(ctx, token, { jwksUri: data.jwks_uri }, names, {
    issuer,
    audience: ctx.config.baseUrl,
    requiredClaims: ['exp', 'iat', 'jti'],
    maxTokenAge,
  })
  return typeof claims === 'string' ? fail('UNAUTHORIZED', claims) : claims
}

function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? ''
  } catch {
    return fail('UNAUTHORIZED', 'The token is not a JWT.')
  }
}

const text = z.string().optional()

const Claims = z.object({
  iss: z.string(),
  environment: text,
  sha: text,
  // GitHub: acme/tools/.github/workflows/publish.yml@refs/heads/main
  repository: text,
  workflow_ref: text,
  // GitLab: gitlab.com/acme/tools//.gitlab-ci.yml@refs/heads/main
  project_path: text,
  ci_config_ref_uri: text,
})

/** Reads the workflow of a job from the claims of GitHub or GitLab. */
function sourceOf(claims: JWTPayload) {
  const { data } = Claims.safeParse(claims)
  const { iss: issuer = '', environment = null, sha = null } = data ?? {}
  const repository = data?.repository ?? data?.project_path ?? ''
  const start = data?.repository
    ? `${repository}/.github/workflows/`
    : `${new URL(issuer).host}/${repository}//`
  const [path = ''] = (data?.workflow_ref ?? data?.ci_config_ref_uri ?? '').split('@')
  const workflow = path.startsWith(start) ? path.slice(start.length) : ''
  return { issuer, repository, workflow, environment, commit: sha && `${repository}@${sha}` }
}
