import { z } from 'zod'
import { bounds } from '../limits.ts'
import { queryNumber } from '../query-number.ts'
import { doc } from '../schemas.ts'
import { document, label, singleLine, text } from '../text.ts'
import { Tag } from './fields.ts'
import { optional } from './query-fields.ts'

export const Digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({
    description: 'SHA-256 of the readme, in hexadecimal.',
    example: 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  })

export const Version = z
  .int()
  .positive()
  .meta({ description: 'Version number: 1, 2, 3 …', example: 1 })

export const versionQuery = optional(queryNumber(z.int().min(1))).describe(
  'Version number. The default is the current version.',
)

/** A semantic version (semver.org, version 2.0.0). */
export const VersionLabel = z
  .string()
  .max(bounds.versionLabel)
  .regex(
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][\w-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][\w-]*))*)?(\+[\da-zA-Z-]+(\.[\da-zA-Z-]+)*)?$/,
    'must be a semantic version such as 1.4.0',
  )

export const DistTag = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,38}$/,
    'must begin with a letter, and have up to 39 lowercase letters, digits and hyphens',
  )
  .refine((tag) => !/^(latest|x|v\d.*)$/.test(tag), 'must not be a version or "latest"')
  .meta(doc('Name of a version, such as `beta`.', 'beta'))

export const at = optional(z.string().max(bounds.versionLabel)).meta(
  doc(
    'In place of `version`: a label, a range of labels such as `^1.2`, a dist-tag or a number. A withdrawn version is not offered.',
    'latest',
  ),
)

export const allowWithdrawn = optional(z.enum(['true', 'false'])).meta(
  doc(
    '`true` returns the version even if it is withdrawn for security. Without it, you receive GONE.',
    'false',
  ),
)

export const name = label(bounds.skillName).meta(doc('Name shown to people.', 'PDF form filler'))
export const description = singleLine(text(bounds.description)).meta({
  description: `Purpose of the skill and when to use it, at most ${bounds.description} characters. Line breaks and tabs become spaces.`,
  example: 'Fills PDF forms from structured data. Use when a form must be completed.',
})
export const readme = document(bounds.readmeBytes).meta({
  description: 'Markdown of the skill, at most 256 KiB.',
  example: '# PDF form filler\n\n1. Read the field names …\n',
})
export const tags = z
  .array(Tag)
  .max(bounds.tags)
  .transform((list) => [...new Set(list)])
  .meta({ description: `Topics to filter by, at most ${bounds.tags}.`, example: ['pdf', 'forms'] })
