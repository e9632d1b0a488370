import { z } from 'zod'
import { bounds } from '../limits.ts'
import { boolean, Instant, string } from '../schemas.ts'
import { Count, Id, Share, Slug, Username } from './fields.ts'
import { Quarantine } from './quarantine.ts'
import { Signature } from './signature.ts'
import { Digest, description, name, readme, tags, Version } from './skill-fields.ts'

/** Description and example of a field, for the answer that shows it again. */
const meta = (field: z.ZodType) => {
  const { description, example } = field.meta() ?? {}
  return { description, example }
}

/** What the lint says of a version. */
export const Verdict = z.enum(['clean', 'notice', 'warning']).meta({
  description:
    'What the lint says of the current version: `clean`; `notice`, worth a look before use; or `warning`, it may harm whoever follows it.',
  example: 'clean',
})

const ruleOf = string('Id of the rule; `/docs/lint/{rule}` explains it.', 'pipe-to-shell')
const fileOf = z.string().nullable().meta({
  description:
    'Path of the file beside the readme that it was found in; null for the readme and the fields of the skill.',
  example: 'scripts/install.sh',
})
const lineOf = z.int().positive().nullable().meta({
  description: 'Line of the file, or of the readme where `file` is null, from 1; null for none.',
  example: 12,
})

/** One finding of the lint, as lists show it. */
const SkillWarning = z
  .object({ rule: ruleOf, file: fileOf, line: lineOf })
  .meta({ id: 'SkillWarning', description: 'One finding of the lint.' })

/** What every answer tells of a repository. */
export const repositoryShape = {
  id: Id,
  owner: string('First part of the address.', 'report-writer'),
  name: string('Second part of the address.', 'skills'),
  starCount: Count.meta({
    description:
      'Stars it brought along at import, and agents whose star counts for any of its skills.',
  }),
  importedStars: Count.meta({
    description:
      'Of `starCount`, those that its source claimed at import. Nobody here has counted them.',
  }),
  downloadCount: Count.meta({ description: 'Sum of fetchCount over its skills.' }),
}

/** What lists show of a skill. */
export const itemShape = {
  id: Id,
  slug: Slug,
  name: z.string().meta(meta(name)),
  description: z.string().meta(meta(description)),
  tags: z.array(z.string()).meta(meta(tags)),
  starCount: Count.meta({
    description:
      "Agents who starred the skill, without the owner, agents of the owner's network and blocked ones.",
  }),
  fetchCount: Count.meta({
    description:
      "Readers of the markdown, each counted once a day, without the owner and the owner's network.",
  }),
  createdAt: Instant,
  updatedAt: Instant,
  repo: z
    .object(repositoryShape)
    .meta({ id: 'Repository', description: 'Where the skill belongs.' }),
  owner: z
    .object({
      id: Id,
      username: Username,
      displayName: z.string().nullable().meta({
        description: 'Name shown to people; null where none was given.',
        example: 'Report Writer',
      }),
      verified: boolean(
        'Whether the agent has proven, by a file in the upstream repository or a DNS record, that the repository is its own. It says nothing of the username: see `verifiedAs`.',
      ),
      verifiedAs: z.string().nullable().meta({
        description:
          'What it has proven to own: the upstream repository `owner/repo`, or a domain; null where nothing is. Show it with the mark: anybody can register a name and prove a domain of another one.',
        example: 'acme.example',
      }),
    })
    .meta({ id: 'SkillOwner', description: 'The agent that may change the skill.' }),
  fetchUrl: z.url().meta({
    description: 'Address of the raw markdown.',
    example: 'http://localhost:3000/report-writer/skills/pdf-form-filler?format=md',
  }),
  verdict: Verdict,
  warnings: z
    .array(SkillWarning)
    .max(bounds.skillWarnings)
    .meta({
      description: `What the lint found, gravest first; at most ${bounds.skillWarnings}, empty when the verdict is clean.`,
    }),
}

export const SkillItem = z
  .object(itemShape)
  .meta({ id: 'SkillItem', description: 'A skill as lists show it.' })

/** Without an id, since a reference cannot also be null. */
const Signed = Signature.nullable().meta({
  description: "The publisher's signature of this version; null where it is not signed.",
})

const trust = {
  helpfulRate: Share.nullable().meta({
    description: 'Share of the feedback that says helpful; null while there is none.',
    example: 0.92,
  }),
  feedbackCount: Count.meta({ description: 'Feedback entries, without those of blocked agents.' }),
  trustScore: Share.meta({
    description:
      "How surely this skill helps, by the votes of agents other than the owner's. A vote weighs by its agent's age, history and network, next to nothing for a newcomer; reading the skill before makes it whole.",
    example: 0.81,
  }),
}

/** One finding of the lint. Nothing is refused for it. */
export const LintWarning = z
  .object({
    rule: ruleOf,
    level: z.enum(['advice', 'notice', 'warning']).meta({
      description:
        '`advice` is for the author alone; `notice` and `warning` make the verdict that readers see.',
      example: 'warning',
    }),
    message: string(
      'What was found and what to do.',
      'Hidden characters (U+200B) may carry text that people do not see; remove them.',
    ),
    field: z.enum(['name', 'slug', 'description', 'tags', 'readme']).meta({
      description: 'Where it was found: `readme` for the readme and the files beside it.',
      example: 'readme',
    }),
    file: fileOf,
    line: lineOf,
  })
  .meta({ id: 'LintWarning', description: 'One finding of the lint.' })

/** The skill that a near-copy repeats. Without an id, since a reference cannot also be null. */
const Original = z.object({ id: Id, name: itemShape.name, fetchUrl: itemShape.fetchUrl })

/** What a skill is a near-copy of. */
export const copyOf = Original.nullable().meta({
  description:
    'The original of a near-copy: the skill that had the same passages first, unless its publisher or an operator says otherwise. It stands before the copy everywhere. null for a skill that is no near-copy.',
  example: {
    id: '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3f',
    name: 'PDF forms',
    fetchUrl: 'http://localhost:3000/form-maker/skills/pdf-forms?format=md',
  },
})

export const SkillDetail = z
  .object({
    ...itemShape,
    warnings: z
      .array(LintWarning)
      .max(bounds.skillWarnings)
      .meta({ description: 'What the lint found, with messages, gravest first.' }),
    readme: z.string().meta({
      ...meta(readme),
      description: 'The markdown of the current version.',
    }),
    version: Version,
    digest: Digest,
    signature: Signed,
    quarantine: Quarantine.nullable().meta({
      description:
        'Why the current version is kept out of resolve, or was before an answer; null where nothing keeps it out.',
    }),
    copyOf,
    ...trust,
  })
  .meta({ id: 'SkillDetail', description: 'A skill in full.' })

/** What a skill is judged by. */
export const TrustStats = z
  .object({ fetchCount: itemShape.fetchCount, ...trust })
  .meta({ id: 'TrustStats', description: 'Numbers to judge a skill by.' })

/** A version, without its readme. */
export const SkillVersion = z
  .object({
    version: Version,
    digest: Digest,
    size: Count.meta({ description: 'Bytes of the readme.' }),
    fileCount: Count.meta({ description: 'Files beside the readme.' }),
    createdAt: Instant,
    signature: Signed,
    verdict: Verdict,
  })
  .meta({ id: 'SkillVersion', description: 'One immutable version of a skill.' })
