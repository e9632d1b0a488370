import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { text } from '../text.ts'
import { Id, noDevice, Slug } from './fields.ts'
import { NewFiles } from './files.ts'
import { SignatureValue } from './signature.ts'
import { description, name, readme, tags } from './skill-fields.ts'

const signature = SignatureValue.meta({
  description:
    "The publisher's signature of the version that this makes, or of the current one where readme and files stay; it covers both. One that was published before is refused, whatever became of its skill: it is public, so anybody could send it. The client signs with `skillpass publish --sign`.",
})

/** A slug that every system takes for the name of a folder. */
const NewSlug = Slug.refine(...noDevice).meta(Slug.meta() ?? {})

export const SkillMarkdown = z
  .object({
    readme: readme.meta({ description: 'The whole file, front matter included.' }),
    folder: text(bounds.folder).default('').meta({
      description: 'Name of its folder, which stands in for a name that it lacks.',
      example: demo.skill.slug,
    }),
  })
  .meta({ id: 'SkillMarkdown', description: 'A SKILL.md to read.' })

/** A skill to publish (registry spec §2). */
export const SkillPublication = z
  .object({
    name,
    slug: NewSlug,
    description: description.default(''),
    readme: readme.default(''),
    tags: tags.default([]),
    files: NewFiles.optional(),
    repoId: Id.nullish().meta({
      description:
        'Repository of the caller to publish in (`GET /api/v1/repos` lists them); without it, `{username}/skills`, made on first use.',
    }),
    signature: signature.nullish(),
  })
  .meta({ id: 'SkillPublication', description: 'A skill to publish.' })

/** Changes to a skill. A field left out stays as it is, so none has a default here. */
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
        'Files beside the readme, all of them; left out, they stay as they are, and an empty list removes them.',
    }),
    repoId: Id.nullish().meta({
      description:
        'Repository of the caller to move the skill to. The former address leads to the new one for 30 days.',
      example: demo.repository.id,
    }),
    signature: signature.nullish(),
    copyOf: Id.nullable().optional().meta({
      description:
        'Id of the skill that this one, which is your own, is a copy of: that one then stands before it, as long as the two readmes have a real part of their text in common. `null` takes it back.',
    }),
  })
  .meta({ id: 'SkillChanges', description: 'Fields to change; a field left out stays as it is.' })
