import type { registryContract } from '@skillpass/contract'
import { serializeList, serializeTimes } from '../http/handlers.ts'
import { clientNetwork } from '../runtime/limits/client-address.ts'
import type { ListedKey } from '../store/agents/api-keys.ts'
import type { ListedPublisher } from '../store/agents/trusted-publishers.ts'
import type { VerificationRecord } from '../store/agents/verifications.ts'
import { getAgent, getProfile } from './agents.ts'
import {
  createApiKey,
  findKeyLimit,
  listApiKeys,
  revokeAllApiKeys,
  revokeApiKey,
} from './api-keys.ts'
import { signInBrowser } from './browsers.ts'
import { type AgentHandlers, findKeyHolder } from './http.ts'
import {
  acceptInvitation,
  createInvitation,
  deleteInvitation,
  listInvitations,
  listSentInvitations,
} from './invitations.ts'
import { changeMember, listMembers, removeMember } from './members.ts'
import { listOrganizationKeys, revokeOrganizationKey } from './organization-keys.ts'
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  updateOrganization,
} from './organizations.ts'
import { registerAgent } from './register.ts'
import {
  serializeAgent,
  serializeIdentity,
  serializeMember,
  serializeOrganization,
  serializeProfile,
  serializeUsedKey,
} from './serialize.ts'
import { setSigningKey } from './signing-keys.ts'
import {
  createTrustedPublisher,
  deleteTrustedPublisher,
  exchangeToken,
  listTrustedPublishers,
} from './trusted-publishers.ts'
import { checkVerification, createVerification, listVerifications } from './verifications.ts'

type Contract = typeof registryContract

export const agentsHandlers: AgentHandlers<Contract['agents']> = {
  register: async ({ ctx, body, req }) => {
    const { apiKey, ...agent } = await registerAgent(ctx, body, clientNetwork(req))
    return { data: { ...serializeIdentity(agent), apiKey } }
  },
  me: async ({ ctx, caller }) => ({
    data: {
      ...serializeProfile(await getProfile(ctx, caller)),
      key: serializeUsedKey(caller, await findKeyLimit(ctx, caller)),
    },
  }),
  signInBrowser: async ({ ctx, caller, body }) => ({
    data: await signInBrowser(ctx, caller, body.code),
  }),
  setSigningKey: async ({ ctx, caller, body }) => ({
    data: await setSigningKey(ctx, caller, body),
  }),
  get: async ({ ctx, params }) => ({ data: serializeAgent(ctx, await getAgent(ctx, params.id)) }),
}

const serializeNewKey = <K extends { createdAt: number; expiresAt: number | null }>(key: K) => ({
  ...serializeTimes(key, ['createdAt', 'expiresAt']),
  isRegistration: false,
})

const keyTimes = ['createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'] as const

const serializeKey = <K extends ListedKey>(key: K) => ({
  ...serializeTimes(key, keyTimes),
  isRegistration: key.isRegistration === 1,
})

export const apiKeysHandlers: AgentHandlers<Contract['apiKeys']> = {
  list: async ({ ctx, caller }) =>
    serializeList((await listApiKeys(ctx, caller)).map(serializeKey)),
  create: async ({ ctx, caller, body }) => {
    return { data: serializeNewKey(await createApiKey(ctx, caller, body)) }
  },
  revokeAll: async ({ ctx, caller }) => serializeList(await revokeAllApiKeys(ctx, caller)),
  revoke: async ({ ctx, caller, params, query }) => ({
    data: await revokeApiKey(ctx, caller, params.id, query.others),
  }),
}

export const organizationsHandlers: AgentHandlers<Contract['organizations']> = {
  list: async ({ ctx, caller }) =>
    serializeList((await listOrganizations(ctx, caller)).map(serializeOrganization)),
  create: async ({ ctx, caller, body }) => ({
    data: serializeOrganization(await createOrganization(ctx, caller, body)),
  }),
  get: async ({ ctx, params, req }) => {
    const caller = await findKeyHolder(ctx, req)
    return { data: serializeOrganization(await getOrganization(ctx, params.username, caller)) }
  },
  update: async ({ ctx, caller, params, body }) => ({
    data: serializeOrganization(await updateOrganization(ctx, caller, params.username, body)),
  }),
  delete: ({ ctx, caller, params }) => deleteOrganization(ctx, caller, params.username),
  members: async ({ ctx, caller, params }) =>
    serializeList((await listMembers(ctx, caller, params.username)).map(serializeMember)),
  changeMember: async ({ ctx, caller, params, body }) => ({
    data: serializeMember(await changeMember(ctx, caller, params, body.role)),
  }),
  removeMember: ({ ctx, caller, params }) => removeMember(ctx, caller, params),
  apiKeys: async ({ ctx, caller, params }) =>
    serializeList((await listOrganizationKeys(ctx, caller, params.username)).map(serializeKey)),
  revokeApiKey: ({ ctx, caller, params }) => revokeOrganizationKey(ctx, caller, params),
}

const invitationTimes = ['createdAt', 'expiresAt'] as const
type Listed = Awaited<ReturnType<typeof listInvitations>>

const serializeInvitations = (invitations: Listed) =>
  serializeList(
    invitations.map(({ organization, ...invitation }) => ({
      ...serializeTimes(invitation, invitationTimes),
      organization: organization ?? '',
    })),
  )

export const invitationsHandlers: AgentHandlers<Contract['invitations']> = {
  create: async ({ ctx, caller, params, body }) => ({
    data: serializeTimes(
      await createInvitation(ctx, caller, params.username, body),
      invitationTimes,
    ),
  }),
  listSent: async ({ ctx, caller, params }) =>
    serializeInvitations(await listSentInvitations(ctx, caller, params.username)),
  list: async ({ ctx, caller }) => serializeInvitations(await listInvitations(ctx, caller)),
  acceptCode: async ({ ctx, caller, body }) => ({
    data: serializeMember(await acceptInvitation(ctx, caller, body)),
  }),
  accept: async ({ ctx, caller, params }) => ({
    data: serializeMember(await acceptInvitation(ctx, caller, params)),
  }),
  delete: async ({ ctx, caller, params }) => deleteInvitation(ctx, caller, params.id),
}

const serializePublisher = ({ sourceRepository, ...publisher }: ListedPublisher) => ({
  ...serializeTimes(publisher, ['createdAt']),
  repository: sourceRepository,
})

export const trustedPublishersHandlers: AgentHandlers<Contract['trustedPublishers']> = {
  list: async ({ ctx, caller, query }) =>
    serializeList((await listTrustedPublishers(ctx, caller, query.owner)).map(serializePublisher)),
  create: async ({ ctx, caller, body }) => ({
    data: serializePublisher(await createTrustedPublisher(ctx, caller, body)),
  }),
  delete: async ({ ctx, caller, params }) => ({
    data: await deleteTrustedPublisher(ctx, caller, params.id),
  }),
  exchange: async ({ ctx, body }) => ({ data: serializeNewKey(await exchangeToken(ctx, body)) }),
}

export const verificationsHandlers: AgentHandlers<Contract['verifications']> = {
  list: async ({ ctx, caller }) => {
    const claims = await listVerifications(ctx, caller)
    const now = ctx.clock.now()
    return serializeList(claims.map((claim) => serializeVerification(claim, now)))
  },
  create: async ({ ctx, caller, body }) => {
    const { claim, token } = await createVerification(ctx, caller, body)
    return { data: { ...serializeVerification(claim, ctx.clock.now()), token } }
  },
  check: async ({ ctx, caller, params }) => {
    const claim = await checkVerification(ctx, caller, params.id)
    return { data: serializeVerification(claim, ctx.clock.now()) }
  },
}

/** Serializes a claim for its agent, with the status at `now` in ms. */
function serializeVerification(
  { tokenHash: _, ...claim }: Omit<VerificationRecord, 'tokenHash'> & { tokenHash?: string },
  now: number,
) {
  const pending = claim.expiresAt > now ? ('pending' as const) : ('expired' as const)
  const status = claim.verifiedAt === null ? pending : ('verified' as const)
  return { ...serializeTimes(claim, ['createdAt', 'expiresAt', 'verifiedAt']), status }
}
