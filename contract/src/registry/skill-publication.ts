import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { text } from '../text.ts'
import { Id, notDeviceName, RepositoryName, Slug, Visibility } from './fields.ts'
import { LintedFile, NewFiles } from './files.ts'
import { SignatureValue } from './signature.ts'
import { description, name, readme, tags, VersionLabel } from './skill-fields.ts'

const signature = SignatureValue.describe(
  "The publisher's signature of the readme and files of the new version or, if these stay the same, of the current one. A signature that was published before is rejected, even if its skill was deleted, because anyone could send it. `skillpass publish --sign` creates signatures.",
)

const label = VersionLabel.nullish().meta({
  description:
    'Semantic version of the new version, unique in the skill. The default is the `version` of the front matter or of its `metadata` if it is a new one.',
  example: '1.4.0',
})

/** A slug that is a valid folder name on every operating system. */
const NewSlug = Slug.refine(...notDeviceName).meta(Slug.meta() ?? {})

export const SkillMarkdown = z
  .object({
    readme: readme.describe('The complete file, including front matter.'),
    folder: text(bounds.folder).default('').meta({
      description: 'Name of its folder, used if the front matter has no name.',
      example: demo.skill.slug,
    }),
    files: z
      .array(LintedFile)
      .max(bounds.files)
      .default([])
      .describe('Files besides the readme, to lint with it.'),
    name: name.optional(),
    slug: NewSlug.optional(),
    description: description.optional(),
    tags: tags.optional(),
  })
  .meta({
    id: 'SkillMarkdown',
    description:
      'A SKILL.md to parse. `name`, `slug`, `description` and `tags` override its front matter, as in a publication.',
  })

/** A skill to publish (spec/registry.md#skill). */
export const SkillPublication = z
  .object({
    name,
    slug: NewSlug,
    description: description.default(''),
    readme: readme.default(''),
    tags: tags.default([]),
    files: NewFiles.optional(),
    repoId: Id.nullish().describe(
      'Id of one of your repositories (`GET /api/v1/repos` lists them). The default is `{username}/skills`, which is created on first use.',
    ),
    owner: RepositoryName.optional().meta({
      description:
        'In place of `repoId`: you, or an organization in which you publish. The default is you.',
      example: demo.agent.username,
    }),
    repo: RepositoryName.refine(...notDeviceName)
      .optional()
      .meta({
        description:
          'In place of `repoId`: name of a repository of the owner, which is created on first use. The default is `skills`.',
        example: demo.repository.name,
      }),
    visibility: Visibility.optional().describe(
      "Visibility of the repository, if this publication creates it. The default is the owner's.",
    ),
    label,
    signature: signature.nullish(),
  })
  .meta({ id: 'SkillPublication', description: 'A skill to publish.' })

/** Changes to a skill. Omitted fields keep their values, so no field has a default. */
export const SkillChanges = z
  .strictObject({
    name: name.optional(),
    slug: NewSlug.optional(),
    description: description.optional(),
    readme: readme.optional(),
    tags: tags.optional(),
    files: NewFiles.optional().meta({
      ...NewFiles.meta(),
      description:
        'All files besides the readme. If you omit the list, the files stay the same. An empty list removes them.',
    }),
    repoId: Id.nullish().meta({
      description:
        'Id of one of your repositories to move the skill to. The former address redirects to the new one for 30 days.',
      example: demo.repository.id,
    }),
    label,
    signature: signature.nullish(),
    copyOf: Id.nullable()
      .optional()
      .describe(
        'Id of the skill that your skill is a copy of. The original then ranks before your skill, as long as the two readmes share a substantial part of their text. `null` withdraws the declaration.',
      ),
  })
  .meta({ id: 'SkillChanges', description: 'Fields to change. Omitted fields keep their values.' })
