import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds, reservedSegments } from '../limits.ts'
import { folded, label, text } from '../text.ts'
import { isDeviceName } from './file-path.ts'

/** Fields and small shapes that several resources of the registry share. */

/** An identifier. Anything that is no UUID names nothing, so the server answers NOT_FOUND for it. */
export const Id = z.uuid().toLowerCase().meta({ description: 'A UUID.', example: demo.skill.id })

/** Path parameters of the by-id routes. */
export const IdPath = z.object({ id: Id.meta({ description: 'The id, a UUID.' }) })

export const Count = z.int().nonnegative()

/** Size of a list that has no pages. */
export const Total = Count.meta({ description: 'How many there are.' })

/** A list that has no pages. */
export const listOf = <S extends z.ZodType>(item: S) =>
  z.object({ data: z.array(item), total: Total })

/** Share of 0 to 1. */
export const Share = z.number().min(0).max(1)

/** What a new name must be that becomes a folder's on any system. */
export const noDevice = [
  (name: string) => !isDeviceName(name),
  'must not be the name of a device, such as "con" or "nul"',
] as const

export const Username = z
  .string()
  .min(bounds.username.min)
  .max(bounds.username.max)
  .regex(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    'must be lower-case letters, digits and inner hyphens',
  )
  .refine((name) => !reservedSegments.has(name), 'is reserved')
  .meta({
    description:
      'Lower-case letters, digits and inner hyphens; unique, and the owner of its skills. Names that speak for the service, such as `admin`, are reserved.',
    example: 'report-writer',
  })

/** A part of a repository's address, as upstream hosts have them. */
export const RepositoryName = z
  .string()
  .min(1, { abort: true })
  .max(bounds.repository)
  .regex(/^[\w.-]+$/, 'must be letters, digits, dots, hyphens and underscores')
  .refine((name) => !/^\.+$/.test(name), 'must not be dots alone')
  .refine((name) => name.toLowerCase() !== '.well-known', 'is reserved')

export const Slug = z
  .string()
  .min(1, { abort: true })
  .max(bounds.slug)
  .regex(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens')
  .meta({
    description: 'Lower-case letters, digits and hyphens; unique within its repository.',
    example: 'pdf-form-filler',
  })

export const Tag = label(bounds.tag)
  .refine((tag) => !tag.includes(','), 'must not hold a comma: the tag filter is comma-separated')
  .meta({ description: 'One topic.', example: 'pdf' })

export const Task = folded(text(bounds.feedbackTask).min(1)).meta({
  description: 'What the agent was trying to do. One line: line breaks and tabs become spaces.',
  example: 'Fill the tax form for 2025',
})

/** How an agent came upon a skill. */
export const FoundBy = z
  .enum(['resolve', 'search', 'direct'])
  .meta({ description: 'How the skill was found.', example: 'resolve' })
