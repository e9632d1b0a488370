import type { RegistryContext } from '../catalogue/catalogue.ts'
import { serializeSkill } from '../catalogue/serialize.ts'
import { serializeTimes } from '../http/handlers.ts'
import { isoTime } from '../runtime/time.ts'
import type { AgentRecord } from '../store/agents/agents.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import type { AgentProfile, PublicProfile } from './agents.ts'
import type { ShownOrganization } from './organizations.ts'

export const serializeIdentity = (agent: Omit<AgentRecord, 'verifiedAs' | 'approval'>) => ({
  id: agent.id,
  username: agent.username,
  displayName: agent.displayName,
  bio: agent.bio,
  createdAt: isoTime(agent.createdAt),
})

export const serializeProfile = ({ agent, counts, signingKey, verifications }: AgentProfile) => ({
  ...serializeIdentity(agent),
  ...counts,
  signingKey,
  verifications: verifications.map((proven) => serializeTimes(proven, ['verifiedAt'])),
})

export const serializeUsedKey = (
  { access, expiresAt, isRegistration }: KeyHolder,
  limitedTo: string | null,
) => ({
  ...serializeTimes({ access, expiresAt }, ['expiresAt']),
  isRegistration: isRegistration === 1,
  limitedTo,
})

export const serializeAgent = (ctx: RegistryContext, { skills, ...profile }: PublicProfile) => ({
  ...serializeProfile(profile),
  skills: skills.map((skill) => serializeSkill(ctx, skill)),
})

export const serializeOrganization = ({ organization, role, skillCount }: ShownOrganization) => {
  const { defaultVisibility, approval } = organization
  return {
    id: organization.id,
    username: organization.username,
    displayName: organization.displayName,
    createdAt: isoTime(organization.createdAt),
    skillCount,
    ...(role
      ? { role, defaultVisibility, approval }
      : { role: null, defaultVisibility: null, approval: null }),
  }
}

export const serializeMember = <M extends { createdAt: number }>(member: M) =>
  serializeTimes(member, ['createdAt'])
