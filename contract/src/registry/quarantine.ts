import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { boolean, Instant, string, strings } from '../schemas.ts'
import { words } from '../text.ts'
import { errorResponses, skillCodes, writeCodes } from './errors.ts'
import { IdPath } from './fields.ts'
import { Version } from './skill-fields.ts'

const c = initContract()

/**
 * Rules of the lint that QUARANTINE_RULES may name: all whose findings make a verdict. What is advice to
 * the publisher alone keeps nothing out.
 */
export const quarantineRules = [
  'pipe-to-shell',
  'known-installer',
  'run-fetched-code',
  'run-download',
  'gives-access',
  'sends-secrets',
  'quoted-exfiltration',
  'leaking-link',
  'asks-for-secrets',
  'too-intricate',
  'prompt-injection',
  'quoted-injection',
  'conceal-from-user',
  'remote-instructions',
  'hidden-instruction',
  'hidden-message',
  'hidden-unicode',
  'secret',
  'remote-package',
  'program-file',
  'archive-file',
] as const

const Answer = z.object({
  by: z
    .enum(['publisher', 'operator'])
    .meta({ description: 'Who has answered.', example: 'publisher' }),
  decision: z.enum(['answered', 'released', 'held']).meta({
    description:
      '`answered` by the publisher; `released` into resolve, or `held` back whatever the publisher answers, by the operator.',
    example: 'answered',
  }),
  text: string('What was said.', 'The script is our own; its digest is checked in line 14.'),
  createdAt: Instant,
})

/** Why the current version is kept out of resolve, or was. */
export const Quarantine = z
  .object({
    held: boolean('Whether resolve leaves the skill out now.'),
    rules: strings(
      'Rules of the findings that the operator of this registry has chosen to keep a version out of resolve.',
      ['pipe-to-shell'],
    ),
    releasedBy: z.enum(['publisher', 'operator']).meta({
      description:
        "Whose answer lets the version into resolve: the publisher's own, unless the operator holds it back, or the operator's alone.",
      example: 'publisher',
    }),
    answers: z
      .array(Answer)
      .meta({ description: 'The last answer of the publisher and of the operator, oldest first.' }),
  })
  .meta({ description: 'Why the current version is kept out of resolve, and what was answered.' })

export const QuarantineAnswer = z
  .object({
    version: Version.meta({
      description: 'The version that the answer is about, which must be the current one.',
    }),
    text: words(bounds.answerText).meta({
      description: `Why the findings are harmless, for the operator and every reader; at most ${bounds.answerText} characters.`,
      example: 'The script is our own; its digest is checked in line 14.',
    }),
  })
  .meta({ id: 'QuarantineAnswer', description: 'What the publisher says of the findings.' })

/** Versions that are kept out of resolve until somebody answers. */
export const quarantineContract = c.router({
  answer: {
    method: 'POST',
    path: '/api/v1/skills/:id/answer',
    summary: 'Answer the findings that keep a skill out of resolve',
    description:
      'Keeps the answer with its time, for everybody to read, in the place of an earlier one. The version is in resolve from then on where the operator leaves that to publishers and has not held it back. A change of the skill needs another answer. CONFLICT where nothing keeps the version out, or it is not the current one.',
    pathParams: IdPath,
    body: QuarantineAnswer,
    responses: {
      200: z.object({ data: Quarantine }).meta({
        id: 'AnsweredQuarantine',
        description: 'What was answered, and whether the version is still kept out.',
      }),
      ...errorResponses(...writeCodes, ...skillCodes, 'CONFLICT'),
    },
    metadata: metadata({ auth: 'apiKey', access: 'publish', limit: 'write', tag: 'Skills' }),
  },
})
