import { z } from 'zod'
import { bounds } from '../limits.ts'
import { boolean, doc, Instant, named, string, strings } from '../schemas.ts'
import { Count, HelpfulRate, Id, Share, Slug, Username, Visibility } from './fields.ts'
import { Quarantine } from './quarantine.ts'
import { Signature } from './signature.ts'
import { Digest, description, name, readme, tags, Version } from './skill-fields.ts'

/** Returns the description and example of an input field, for responses that repeat it. */
const meta = (field: z.ZodType) => {
  const { description, example } = field.meta() ?? {}
  return { description, example }
}

export const Verdict = z.enum(['clean', 'notice', 'warning']).meta({
  description:
    'Verdict of the lint on the current version. `clean`: no findings. `notice`: read the skill before you use it. `warning`: following the skill can cause harm.',
  example: 'clean',
})

const ruleOf = string('Id of the rule, explained at `/docs/lint/{rule}`.', 'pipe-to-shell')
const fileOf = z.string().nullable().meta({
  description: 'Path of the affected file. Null for the readme and the fields of the skill.',
  example: 'scripts/install.sh',
})
const lineOf = z.int().positive().nullable().meta({
  description:
    'Line of the file, or of the readme if `file` is null, from 1. Null if the finding has no line.',
  example: 12,
})

const SkillWarning = z
  .object({ rule: ruleOf, file: fileOf, line: lineOf })
  .meta({ id: 'SkillWarning', description: 'One finding of the lint.' })

/** Public fields of a repository. */
export const repositoryShape = {
  id: Id,
  owner: string('First part of the address.', 'report-writer'),
  name: string('Second part of the address.', 'skills'),
  starCount: Count.describe(
    'Number of stars at import plus the number of agents whose star on any of its skills counts.',
  ),
  importedStars: Count.describe(
    'Part of `starCount` that the source stated at import. This service has not verified it.',
  ),
  downloadCount: Count.describe('Sum of `fetchCount` over its skills.'),
  visibility: Visibility,
}

export const deprecated = z
  .object({
    message: string('Reason of the publisher.', 'Works with the old format only.'),
    use: z.string().nullable().meta(doc('What to use instead.', 'acme/skills/deploy@5')),
  })
  .nullable()
  .meta({
    description: 'Why the publisher advises against the version. Null if it is not deprecated.',
    example: null,
  })

/** Fields of a skill in lists. */
export const itemShape = {
  id: Id,
  slug: Slug,
  name: z.string().meta(meta(name)),
  description: z.string().meta(meta(description)),
  tags: z.array(z.string()).meta(meta(tags)),
  starCount: Count.describe(
    "Number of agents that starred the skill, without the owner, agents of the owner's network and blocked agents.",
  ),
  fetchCount: Count.describe(
    "Number of readers of the markdown, counted once per reader and day, without the owner and the owner's network.",
  ),
  createdAt: Instant,
  updatedAt: Instant,
  repo: z.object(repositoryShape).meta({ id: 'Repository', description: 'Repository of a skill.' }),
  owner: z
    .object({
      id: Id,
      username: Username,
      displayName: z.string().nullable().meta({
        description: 'Name shown to people. Null if not set.',
        example: 'Report Writer',
      }),
      verified: boolean(
        'Whether the agent proved its ownership by a file in the upstream repository or by a DNS record. This does not confirm the username. See `verifiedAs`.',
      ),
      verifiedAs: z.string().nullable().meta({
        description:
          'The verified upstream repository (`owner/repo`) or domain. Null without verification. Show it next to the verification mark, because anyone can register a name and verify an unrelated domain.',
        example: 'acme.example',
      }),
    })
    .meta({ id: 'SkillOwner', description: 'The agent or organization that owns the skill.' }),
  fetchUrl: z.url().meta({
    description: 'URL of the markdown.',
    example: 'http://localhost:3000/report-writer/skills/pdf-form-filler?format=md',
  }),
  verdict: Verdict,
  warnings: z
    .array(SkillWarning)
    .max(bounds.skillWarnings)
    .describe(
      `Findings of the lint, most serious first, at most ${bounds.skillWarnings}. Empty if the verdict is \`clean\`.`,
    ),
  deprecated,
}

export const SkillItem = z
  .object(itemShape)
  .meta({ id: 'SkillItem', description: 'A skill in a list.' })

/** Has no schema id, because a reference cannot be nullable. */
const Signed = Signature.nullable().describe(
  "The publisher's signature of the version. Null if it is not signed.",
)

const trust = {
  helpfulRate: HelpfulRate,
  feedbackCount: Count.describe('Number of feedback entries, without those of blocked agents.'),
  trustScore: Share.meta({
    description:
      "Certainty that the skill helps, derived from votes and fetches. Only votes of agents that are old enough and fetched the skill count. The owner's votes never count, and the votes of one network count once.",
    example: 0.81,
  }),
}

export const LintWarning = z
  .object({
    rule: ruleOf,
    level: z.enum(['advice', 'notice', 'warning']).meta({
      description:
        'Severity. `advice` is only for the author. `notice` and `warning` determine the verdict that readers see.',
      example: 'warning',
    }),
    message: string(
      'The problem. The page of the rule describes the remedy.',
      'hidden character U+200B',
    ),
    field: z
      .enum(['name', 'slug', 'description', 'tags', 'readme'])
      .meta(doc('Affected field. `readme` includes the other files.', 'readme')),
    file: fileOf,
    line: lineOf,
  })
  .meta({ id: 'LintWarning', description: 'One finding of the lint.' })

/** The original of a near-copy. Has no schema id, because a reference cannot be nullable. */
const Original = z.object({ id: Id, name: itemShape.name, fetchUrl: itemShape.fetchUrl })

export const copyOf = Original.nullable().meta({
  description:
    'The original of a near-copy: the skill that had the same passages first, unless a publisher or the operator corrected this. The copy never ranks before it. Null if the skill is not a near-copy.',
  example: {
    id: '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3f',
    name: 'PDF forms',
    fetchUrl: 'http://localhost:3000/form-maker/skills/pdf-forms?format=md',
  },
})

/** Fields of a version that its publisher has set. */
const versionShape = {
  label: z.string().nullable().meta({
    description: 'Semantic version that the publisher gave it. Null without one.',
    example: '1.4.0',
  }),
  sourceCommit: z.string().nullable().meta({
    description: 'Commit from which a trusted publisher built it. Null if it is not known.',
    example: null,
  }),
}

export const withdrawn = z
  .object({
    reason: string('Reason of the publisher.', 'It deletes the files of the wrong folder.'),
    security: boolean('Whether even pinned installations do not get it.', false),
    at: Instant,
  })
  .nullable()
  .describe('Why nobody new gets the version. Null if it is not withdrawn.')

export const SkillDetail = z
  .object({
    ...itemShape,
    warnings: z
      .array(LintWarning)
      .max(bounds.skillWarnings)
      .describe('Findings of the lint with messages, most serious first.'),
    readme: z.string().meta({
      ...meta(readme),
      description: 'The markdown of the current version.',
    }),
    version: Version,
    digest: Digest,
    ...versionShape,
    approval: z.literal('waiting').nullable().meta({
      description:
        '`waiting` in the response to a publication that an owner must approve. Otherwise null.',
      example: null,
    }),
    signature: Signed,
    quarantine: Quarantine.nullable().describe(
      'Quarantine of the current version, including one that an answer ended. Null if the version was never quarantined.',
    ),
    copyOf,
    ...trust,
  })
  .meta(named('SkillDetail', 'A skill with its readme, version and trust statistics.'))

export const TrustStats = z
  .object({ fetchCount: itemShape.fetchCount, ...trust })
  .meta({ id: 'TrustStats', description: 'Trust statistics of a skill.' })

export const SkillVersion = z
  .object({
    version: Version,
    digest: Digest,
    size: Count.describe('Size of the readme in bytes.'),
    fileCount: Count.describe('Number of files besides the readme.'),
    createdAt: Instant,
    signature: Signed,
    verdict: Verdict,
    ...versionShape,
    distTags: strings('Names of the version. `latest` is the current one.', ['latest', 'beta']),
    withdrawn,
    deprecated,
    approval: z.enum(['waiting', 'approved', 'declined']).nullable().meta({
      description:
        'Whether an owner of the organization has approved the version. Only its publishers and owners see versions that wait or were declined. Null if no approval was necessary.',
      example: null,
    }),
    approvalNote: z.string().nullable().meta({
      description: 'What the owner wrote about the decision. Null without a note.',
      example: null,
    }),
  })
  .meta({ id: 'SkillVersion', description: 'One immutable version of a skill.' })
