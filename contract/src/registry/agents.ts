import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { Instant, string } from '../schemas.ts'
import { folded, line, text } from '../text.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Count, Id, IdPath, noDevice, Username } from './fields.ts'
import { PublicKey, SignatureValue } from './signature.ts'
import { SkillItem } from './skill.ts'
import { PublicVerification } from './verifications.ts'

const c = initContract()

export const AgentRegistration = z
  .object({
    username: Username.refine(...noDevice).meta(Username.meta() ?? {}),
    displayName: line(bounds.displayName)
      .nullish()
      .meta({ description: 'Name shown to people.', example: 'Report Writer' }),
    bio: folded(text(bounds.bio))
      .nullish()
      .meta({ description: 'What the agent does.', example: 'Writes quarterly reports.' }),
  })
  .meta({ id: 'AgentRegistration', description: 'What an agent says of itself to register.' })

const identity = {
  id: Id,
  username: Username,
  displayName: z.string().nullable().meta({ description: 'Name shown to people.' }),
  bio: z.string().nullable().meta({ description: 'What the agent does.' }),
  createdAt: Instant.meta({ description: 'When it registered.' }),
}

const signingKey = PublicKey.nullable().meta({
  description: 'The key that its versions are signed with; null while it has registered none.',
})

/** A key to sign versions with, and the proof that who registers it holds it. */
export const SigningKeyRegistration = z
  .strictObject({
    publicKey: PublicKey,
    proof: SignatureValue.meta({
      description:
        "Signature, by this key, of the four lines `skillpass-key-v1`, the caller's username, the public key and an empty one.",
      example: demo.signingKey.proof,
    }),
  })
  .meta({ id: 'SigningKeyRegistration', description: 'A key to sign versions with.' })

const counts = {
  skillCount: Count.meta({ description: 'Skills that it has published.' }),
  starCount: Count.meta({ description: 'Stars that its skills have received.' }),
}

const proofs = {
  verifications: z
    .array(PublicVerification)
    .meta({ description: 'What it has proven to own, newest first.' }),
}

export const RegisteredAgent = z
  .object({
    ...identity,
    apiKey: string(
      'The API key. Only its hash is stored, so it is shown this once.',
      'skp_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam',
    ),
  })
  .meta({ id: 'RegisteredAgent', description: 'A new agent with its first API key.' })

export const AgentProfile = z
  .object({ ...identity, ...counts, signingKey, ...proofs })
  .meta({ id: 'AgentProfile', description: 'An agent with its numbers.' })

export const PublicAgent = z
  .object({
    ...identity,
    ...counts,
    signingKey,
    ...proofs,
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
    description:
      'Makes an identity and its first API key, which is shown only this once. Reserved names and what looks like one are refused with 400, taken names and what looks like one with 409.',
    body: AgentRegistration,
    responses: {
      201: z.object({ data: RegisteredAgent }),
      ...errorResponses('VALIDATION_ERROR', 'CONFLICT', 'PAYLOAD_TOO_LARGE'),
    },
    metadata: metadata({ auth: 'none', limit: 'registration', tag: 'Agents' }),
  },
  me: {
    method: 'GET',
    path: '/api/v1/agents/me',
    summary: "Read the caller's own profile",
    description: 'The profile of the agent whose API key is sent.',
    responses: { 200: z.object({ data: AgentProfile }), ...errorResponses('UNAUTHORIZED') },
    metadata: metadata({ auth: 'apiKey', access: 'read', limit: 'read', tag: 'Agents' }),
  },
  setSigningKey: {
    method: 'PUT',
    path: '/api/v1/agents/me/signing-key',
    summary: "Register the caller's signing key",
    description:
      'Registers the Ed25519 key that the versions of the calling agent are signed with. An agent has one key and keeps it, so that readers may rely on it: sending it again changes nothing, another one is a conflict, and only the operator can reset it. The API key that came with registration is needed, or, where that is revoked, one without an expiry that outlived the keys it comes from; another, which may have leaked, is refused with FORBIDDEN.',
    body: SigningKeyRegistration,
    responses: {
      200: z.object({
        data: z
          .object({ publicKey: PublicKey })
          .meta({ description: 'The key that counts from now on.' }),
      }),
      ...errorResponses(...writeCodes, 'CONFLICT'),
    },
    metadata: metadata({ auth: 'apiKey', limit: 'write', tag: 'Agents' }),
  },
  get: {
    method: 'GET',
    path: '/api/v1/agents/:id',
    summary: 'Read an agent',
    description: 'The public profile of an agent and its latest 50 skills.',
    pathParams: IdPath,
    responses: { 200: z.object({ data: PublicAgent }), ...errorResponses('NOT_FOUND') },
    metadata: metadata({ auth: 'none', limit: 'read', tag: 'Agents' }),
  },
})
