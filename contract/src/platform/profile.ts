import { z } from 'zod'
import { bounds } from '../limits.ts'
import { line } from '../text.ts'
import { TimeZone } from '../time-zone.ts'
import { emptyAsAbsent, nullAsAbsent } from './lenient.ts'

const { name, displayName, other } = bounds.profile
/** Fields of a profile that can be set. */
export const profileFields = {
  first_name: line(name).meta({ description: 'Given name.', example: 'Olga' }),
  last_name: line(name).meta({ description: 'Family name.', example: 'Owner' }),
  display_name: line(displayName).meta({
    description: 'Display name. Empty to use first and last name.',
    example: 'Olga O.',
  }),
  timezone: TimeZone.meta({ description: 'An IANA time zone.', example: 'Europe/Berlin' }),
  language: line(other)
    .refine(isLanguage, 'must be a BCP 47 tag such as en-US')
    .meta({ description: 'A BCP 47 language tag.', example: 'en-US' }),
  dept: line(other).meta({ description: 'Department.', example: 'Sales' }),
  company: line(other).meta({ description: 'Company.', example: 'Acme Ltd' }),
  job_title: line(other).meta({ description: 'Job title.', example: 'Head of Sales' }),
  location: line(other).meta({ description: 'Place of work.', example: 'Berlin' }),
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

const { timezone, language, ...texts } = profileFields
const changes = {
  first_name: nullAsAbsent(texts.first_name),
  last_name: nullAsAbsent(texts.last_name),
  display_name: nullAsAbsent(texts.display_name),
  timezone: emptyAsAbsent(timezone),
  language: emptyAsAbsent(language),
  dept: nullAsAbsent(texts.dept),
  company: nullAsAbsent(texts.company),
  job_title: nullAsAbsent(texts.job_title),
  location: nullAsAbsent(texts.location),
}

// Absent and null fields keep their values, so no field has a default.
export const ProfileChanges = z
  .strictObject(changes)
  .meta({ id: 'ProfileChanges', description: 'Changes to the profile of a user.' })
