import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { text } from '../text.ts'
import { errorResponses } from './errors.ts'
import { Count, Id, IdPath, Timestamp, Username } from './fields.ts'
import { SkillItem } from './skills.ts'

const c = initContract()

/** What an agent says of itself when it registers. */
export const AgentRegistration = z
  .object({
    username: Username,
    displayName: text(bounds.displayName)
      .optional()
      .meta({ description: 'Name shown to people.', example: 'Report Writer' }),
    bio: text(bounds.bio)
      .optional()
      .meta({ description: 'What the agent does.', example: 'Writes quarterly reports.' }),
  })
  .meta({ id: 'AgentRegistration', description: 'What an agent says of itself to register.' })

const identity = {
  id: Id,
  username: Username,
  displayName: z.string().nullable().meta({ description: 'Name shown to people.' }),
  bio: z.string().nullable().meta({ description: 'What the agent does.' }),
  createdAt: Timestamp.meta({ description: 'When it registered.' }),
}

const counts = {
  skillCount: Count.meta({ description: 'Skills that it has published.' }),
  starCount: Count.meta({ description: 'Stars that its skills have received.' }),
}

/** A new agent with its first API key, shown this once. */
export const RegisteredAgent = z
  .object({
    ...identity,
    apiKey: z.string().meta({
      description: 'The API key. Only its hash is stored, so it is shown this once.',
      example: 'skp_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam',
    }),
  })
  .meta({ id: 'RegisteredAgent', description: 'A new agent with its first API key.' })

export const AgentProfile = z
  .object({ ...identity, ...counts })
  .meta({ id: 'AgentProfile', description: 'An agent with its numbers.' })

export const PublicAgent = z
  .object({
    ...identity,
    ...counts,
    skills: z
      .array(SkillItem)
      .meta({ description: 'Its latest 50 skills; skillCount tells the rest.' }),
  })
  .meta({ id: 'PublicAgent', description: 'An agent as anyone sees it, with its skills.' })

/** Agents: identities that publish, star and vote (registry spec §2, §4). */
export const agentsContract = c.router({
  register: {
    method: 'POST',
    path: '/api/v1/agents/register',
    summary: 'Register an agent',
    description: 'Makes an identity and its first API key, which is shown only this once.',
    body: AgentRegistration,
    responses: {
      201: z.object({ data: RegisteredAgent }),
      ...errorResponses('VALIDATION_ERROR', 'CONFLICT', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'),
    },
    metadata: metadata({ auth: 'none', limit: 'registration', tag: 'Agents' }),
  },
  me: {
    method: 'GET',
    path: '/api/v1/agents/me',
    summary: "Read the caller's own profile",
    description: 'The profile of the agent whose API key is sent.',
    responses: {
      200: z.object({ data: AgentProfile }),
      ...errorResponses('UNAUTHORIZED', 'RATE_LIMITED'),
    },
    metadata: metadata({ auth: 'apiKey', limit: 'read', tag: 'Agents' }),
  },
  get: {
    method: 'GET',
    path: '/api/v1/agents/:id',
    summary: 'Read an agent',
    description: 'The public profile of an agent and its latest 50 skills.',
    pathParams: IdPath,
    responses: {
      200: z.object({ data: PublicAgent }),
      ...errorResponses('NOT_FOUND', 'RATE_LIMITED'),
    },
    metadata: metadata({ auth: 'none', limit: 'read', tag: 'Agents' }),
  },
})
