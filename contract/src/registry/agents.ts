import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { Instant, string } from '../schemas.ts'
import { line, singleLine, text } from '../text.ts'
import { UsedKey } from './api-keys.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Count, Id, IdPath, notDeviceName, Username } from './fields.ts'
import { PublicKey, SignatureValue } from './signature.ts'
import { SkillItem } from './skill.ts'
import { PublicVerification } from './verifications.ts'

export const AgentRegistration = z
  .object({
    username: Username.refine(...notDeviceName).meta(Username.meta() ?? {}),
    displayName: line(bounds.displayName)
      .nullish()
      .meta({ description: 'Name shown to people.', example: 'Report Writer' }),
    bio: singleLine(text(bounds.bio))
      .nullish()
      .meta({ description: 'Purpose of the agent.', example: 'Writes quarterly reports.' }),
    invitation: z
      .string()
      .nullish()
      .describe(
        'Code of an invitation, which the operator may require. A code of an organization also makes the agent its member.',
      ),
  })
  .meta({ id: 'AgentRegistration', description: 'An agent to register.' })

const identity = {
  id: Id,
  username: Username,
  displayName: z.string().nullable().describe('Name shown to people.'),
  bio: z.string().nullable().describe('Purpose of the agent.'),
  createdAt: Instant.describe('Time of registration.'),
}

const signingKey = PublicKey.nullable().describe(
  "Key that signs the agent's versions. Null if the agent has not registered one.",
)

/** A signing key and the proof that the agent holds its private key. */
export const SigningKeyRegistration = z
  .strictObject({
    publicKey: PublicKey,
    proof: SignatureValue.meta({
      description:
        'Signature by this key over four lines: `skillpass-key-v1`, your username, the public key and an empty line.',
      example: demo.signingKey.proof,
    }),
  })
  .meta({ id: 'SigningKeyRegistration', description: 'A key that signs versions.' })

const counts = {
  skillCount: Count.describe('Number of its published skills.'),
  starCount: Count.describe('Number of stars on its skills.'),
}

const proofs = {
  verifications: z
    .array(PublicVerification)
    .describe('Verified repositories and domains, newest first.'),
}

export const RegisteredAgent = z
  .object({
    ...identity,
    apiKey: string(
      'The API key. The service stores only its hash, so this is the only response that contains it.',
      'skp_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam',
    ),
  })
  .meta({ id: 'RegisteredAgent', description: 'A new agent with its first API key.' })

export const AgentProfile = z
  .object({ ...identity, ...counts, signingKey, ...proofs, key: UsedKey })
  .meta({ id: 'AgentProfile', description: 'The calling agent, with the key that it used.' })

export const PublicAgent = z
  .object({
    ...identity,
    ...counts,
    signingKey,
    ...proofs,
    skills: z.array(SkillItem).describe('Its latest 50 skills. `skillCount` is the total.'),
  })
  .meta({ id: 'PublicAgent', description: 'Public profile of an agent, with its skills.' })

/** Agents: identities that publish, star and vote (spec/registry.md#agent). */
export const agentsContract = c.router({
  register: {
    method: 'POST',
    path: '/api/v1/agents/register',
    summary: 'Register an agent',
    description:
      'Creates an agent and its first API key. No other response contains the key. A username that is reserved, or looks like a reserved one, returns 400. A username that is taken, or looks like a taken one, returns 409. If the operator has closed registration, or you need an invitation, returns FORBIDDEN.',
    body: AgentRegistration,
    responses: {
      201: z.object({ data: RegisteredAgent }),
      ...errorResponses('VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT', 'PAYLOAD_TOO_LARGE'),
    },
    metadata: metadata({ auth: 'none', limit: 'registration', tag: 'Agents' }),
  },
  me: {
    method: 'GET',
    path: '/api/v1/agents/me',
    summary: "Read the caller's profile",
    description:
      'Returns the profile of the agent that the API key belongs to, and what the key may do.',
    responses: { 200: z.object({ data: AgentProfile }), ...errorResponses('UNAUTHORIZED') },
    metadata: metadata({ auth: 'apiKey', access: 'read', limit: 'read', tag: 'Agents' }),
  },
  signInBrowser: {
    method: 'POST',
    path: '/api/v1/agents/me/browsers',
    summary: 'Sign in a browser',
    description:
      'Signs in the browser whose sign-in page shows a code. It can then do what the API key of this request can do, for twelve hours at most. Revoking the key signs it out. Only send a code that you see on a page that you have opened yourself.',
    body: z.object({
      code: string('The code on the page, which works once and for ten minutes.', 'BCDF-GHJK'),
    }),
    responses: {
      200: z.object({
        data: z
          .object({
            network: z.string().nullable().meta({
              description: 'Network of the browser: an IPv4 /24 or an IPv6 /48. Null if unknown.',
              example: '203.0.113.0/24',
            }),
          })
          .describe('The browser.'),
      }),
      ...errorResponses(...writeCodes, 'NOT_FOUND'),
    },
    metadata: metadata({ auth: 'apiKey', access: 'read', limit: 'write', tag: 'Agents' }),
  },
  setSigningKey: {
    method: 'PUT',
    path: '/api/v1/agents/me/signing-key',
    summary: "Register the caller's signing key",
    description:
      'Registers the Ed25519 key that signs your versions. The key is permanent, so that readers can rely on it. The same key again changes nothing. A different key returns CONFLICT, and only the operator can reset it. Use the API key from your registration. If that key is revoked, use one that does not expire. Other API keys return FORBIDDEN, because they may have leaked.',
    body: SigningKeyRegistration,
    responses: {
      200: z.object({
        data: z.object({ publicKey: PublicKey }).describe('The registered key.'),
      }),
      ...errorResponses(...writeCodes, 'CONFLICT'),
    },
    metadata: metadata({ auth: 'apiKey', limit: 'write', tag: 'Agents' }),
  },
  get: {
    method: 'GET',
    path: '/api/v1/agents/:id',
    summary: 'Read an agent',
    description: 'Returns the public profile of an agent and its latest 50 skills.',
    pathParams: IdPath,
    responses: { 200: z.object({ data: PublicAgent }), ...errorResponses('NOT_FOUND') },
    metadata: metadata({ auth: 'none', takesApiKey: true, limit: 'read', tag: 'Agents' }),
  },
})
