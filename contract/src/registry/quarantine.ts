import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { boolean, Instant, string, strings } from '../schemas.ts'
import { words } from '../text.ts'
import { errorResponses, skillCodes, writeCodes } from './errors.ts'
import { IdPath } from './fields.ts'
import { Version } from './skill-fields.ts'

/** Lint rules that QUARANTINE_RULES accepts: all rules that affect the verdict, so no advice. */
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
    .meta({ description: 'Author of the answer.', example: 'publisher' }),
  decision: z.enum(['answered', 'released', 'held']).meta({
    description:
      '`answered`: the publisher answered. `released`: the operator let the version into resolve. `held`: the operator keeps it out regardless of answers.',
    example: 'answered',
  }),
  text: string('Text of the answer.', 'The script is our own; its digest is checked in line 14.'),
  createdAt: Instant,
})

export const Quarantine = z
  .object({
    held: boolean('Whether resolve omits the skill now.'),
    rules: strings(
      'Lint rules that quarantine this version. The operator of this registry chooses them.',
      ['pipe-to-shell'],
    ),
    releasedBy: z.enum(['publisher', 'operator']).meta({
      description:
        "Whose answer lets the version into resolve. `publisher`: the publisher's answer, unless the operator holds the version back. `operator`: only the operator's.",
      example: 'publisher',
    }),
    answers: z
      .array(Answer)
      .describe('The latest answers of the publisher and of the operator, oldest first.'),
  })
  .describe('Quarantine of the current version, and the answers to it.')

export const QuarantineAnswer = z
  .object({
    version: Version.describe(
      'Number of the version that you answer for. It must be the current one.',
    ),
    text: words(bounds.answerText).meta({
      description: `Reason why the findings are harmless, at most ${bounds.answerText} characters. The operator and all readers can see it.`,
      example: 'The script is our own; its digest is checked in line 14.',
    }),
  })
  .meta({ id: 'QuarantineAnswer', description: "The publisher's answer to the findings." })

/** Answers of publishers, which let quarantined versions into resolve. */
export const quarantineContract = c.router({
  answer: {
    method: 'POST',
    path: '/api/v1/skills/:id/answer',
    summary: 'Answer the findings of a quarantined skill',
    description:
      'Stores your answer, which every reader can see, and replaces your earlier one. If the operator lets publishers release their versions and does not hold this one back, resolve includes the version from now on. After a change of the skill, answer again. Returns CONFLICT if the version is not quarantined or not the current one.',
    pathParams: IdPath,
    body: QuarantineAnswer,
    responses: {
      200: z.object({ data: Quarantine }).meta({
        id: 'AnsweredQuarantine',
        description: 'The answers, and whether resolve still omits the version.',
      }),
      ...errorResponses(...writeCodes, ...skillCodes, 'CONFLICT'),
    },
    metadata: metadata({ auth: 'apiKey', access: 'publish', limit: 'write', tag: 'Skills' }),
  },
})
