import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { queryNumber } from '../query-number.ts'
import { errorResponses, hiddenCodes } from './errors.ts'

const c = initContract()

const segment = (description: string, example: string) =>
  z.string().min(1).max(100).meta({ description, example })

/** The markdown of a skill at its address. Mounted last: its path also fits other addresses. */
export const rawSkillContract = c.router({
  fetch: {
    method: 'GET',
    path: '/:owner/:repo/:skill',
    summary: 'Fetch the markdown of a skill',
    description:
      'The stored readme, byte for byte. `ETag` is the digest, so `If-None-Match` answers 304. `Skillpass-Id` is the id that stars and feedback take, `Skillpass-Version` the number of the version; a signed one has `Skillpass-Signature: key=:…:, sig=:…:` (RFC 9651), Base64 of the public key and of the signature. `Skillpass-Verdict` is what the lint says of the version, as a token with the rules as a parameter: `warning;rules="pipe-to-shell,hidden-unicode"`. A browser that asks for HTML without `format=md` gets a page instead. An address that the skill has left within the last 30 days answers 308 with the new one in `Location`. Send your API key along to have your feedback on the skill count as that of a reader, wherever you send it from; the answer is the same without it.',
    pathParams: z.object({
      owner: segment('Owner of the repository; case does not matter.', demo.agent.username),
      repo: segment('Name of the repository; case does not matter.', demo.repository.name),
      skill: segment('Slug of the skill; case does not matter.', demo.skill.slug),
    }),
    query: z.object({
      format: z.literal('md').optional().meta({ description: 'Asks for markdown.', example: 'md' }),
      version: queryNumber(z.int().min(1))
        .optional()
        .meta({ description: 'A version by number; the current one without it.' }),
      digest: z
        .string()
        .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hexadecimal digits')
        .optional()
        .meta({ description: 'A version by the digest of its readme.' }),
    }),
    responses: {
      200: c.otherResponse({ contentType: 'text/markdown', body: z.string() }),
      304: c.noBody(),
      308: c.noBody(),
      ...errorResponses('VALIDATION_ERROR', 'NOT_FOUND', ...hiddenCodes, 'RATE_LIMITED'),
    },
    metadata: metadata({ auth: 'none', takesApiKey: true, limit: 'read', tag: 'Skills' }),
  },
})
