import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds, reservedSegments } from '../limits.ts'
import { doc } from '../schemas.ts'
import { label, singleLine, text } from '../text.ts'
import { isDeviceName } from './file-path.ts'

/** An id. The server returns NOT_FOUND for anything that is not a UUID. */
export const Id = z.uuid().toLowerCase().meta({ description: 'A UUID.', example: demo.skill.id })

/** Path parameters of the by-id routes. */
export const IdPath = z.object({ id: Id.describe('The id, a UUID.') })

export const Count = z.int().nonnegative()

export const Total = Count.describe('Number of entries.')

/** Returns the schema of a list without pages. */
export const listOf = <S extends z.ZodType>(item: S) =>
  z.object({ data: z.array(item), total: Total })

export const Share = z.number().min(0).max(1)

export const HelpfulRate = Share.nullable().meta(
  doc('Share of helpful feedback. Null without feedback.', 0.92),
)

/** Arguments of `refine` for names that become folder names, which Windows must accept. */
export const notDeviceName = [
  (name: string) => !isDeviceName(name),
  'must not be a Windows device name such as "con" or "nul"',
] as const

export const Username = z
  .string()
  .min(bounds.username.min)
  .max(bounds.username.max)
  .regex(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    'must be lowercase letters, digits and hyphens, without a hyphen at either end',
  )
  .refine((name) => !reservedSegments.has(name), 'is reserved')
  .meta({
    description:
      'Lowercase letters, digits and hyphens, without a hyphen at either end. Unique. Also the owner part of the addresses of its skills. Names that seem official, such as `admin`, are reserved.',
    example: 'report-writer',
  })

/** Owner or name of a repository, as code hosts allow it. */
export const RepositoryName = z
  .string()
  .min(1, { abort: true })
  .max(bounds.repository)
  .regex(/^[\w.-]+$/, 'must be letters, digits, dots, hyphens and underscores')
  .refine((name) => !/^\.+$/.test(name), 'must not consist of dots only')
  .refine((name) => !['.well-known', 'feed.atom'].includes(name.toLowerCase()), 'is reserved')

/** An owner (`acme`) or the address of a repository (`acme/skills`). */
export const OwnerOrRepository = z
  .string()
  .max(2 * bounds.repository + 1)
  .regex(/^[\w.-]+(?:\/[\w.-]+)?$/, 'must be an owner, or an owner and a repository: acme/skills')

export const InvitationCode = z
  .string()
  .meta(
    doc(
      'Code of an invitation. The service stores only its hash.',
      'ski_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam',
    ),
  )

export const Visibility = z.enum(['public', 'private']).meta({
  description:
    'Who can read the skills of a repository: everybody, or its owner and the members of its owner.',
  example: 'public',
})

export const Slug = z
  .string()
  .min(1, { abort: true })
  .max(bounds.slug)
  .regex(/^[a-z0-9-]+$/, 'must be lowercase letters, digits and hyphens')
  .meta(
    doc('Lowercase letters, digits and hyphens. Unique within its repository.', 'pdf-form-filler'),
  )

export const Tag = label(bounds.tag)
  .refine(
    (tag) => !tag.includes(','),
    'must not contain a comma, because commas separate tags in searches',
  )
  .meta({ description: 'One topic.', example: 'pdf' })

export const Task = singleLine(text(bounds.feedbackTask).min(1)).meta(
  doc('Task of the agent. Line breaks and tabs become spaces.', 'Fill the tax form for 2025'),
)

export const FoundBy = z
  .enum(['resolve', 'search', 'direct'])
  .meta({ description: 'How the agent found the skill.', example: 'resolve' })
