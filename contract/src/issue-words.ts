import { z } from 'zod'

/**
 * Words for the faults that the schemas of Skillpass find. Each is a predicate, so that the name of the field makes
 * it a sentence: `task is required`, `limit must be at most 50`. A schema with a message of its own
 * keeps that.
 */
export const wordIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue.input) ?? ofType(issue.expected, issue.input)
    case 'invalid_value':
      return isMissing(issue.input) ?? `must be ${alternatives(issue.values)}`
    case 'too_small':
      return atLeast(issue)
    case 'too_big':
      return atMost(issue)
    case 'invalid_format':
      return `must ${forms[issue.format] ?? `match ${issue.pattern}`}`
    case 'unrecognized_keys':
      return 'is not a known field'
    case 'invalid_union':
      return ofUnion(issue)
    default:
      return notValid
  }
}

type Raw<C extends z.core.$ZodIssueCode> = z.core.$ZodRawIssue<
  Extract<z.core.$ZodIssue, { code: C }>
>

const notValid = 'is not valid'

const isMissing = (input: unknown) => (input === undefined ? 'is required' : undefined)

const types: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
}

/** "must be a string, not a number"; of two kinds of number the one alone. */
function ofType(expected: string, input: unknown): string {
  const wanted = `must be ${types[expected] ?? expected}`
  const sent = z.core.util.parsedType(input)
  const isNumber = typeof input === 'number'
  if (isNumber && (expected === 'int' || expected === 'number')) return wanted
  return `${wanted}, not ${sent === 'boolean' ? 'a boolean' : (types[sent] ?? sent)}`
}

/** Values as a sentence lists them: `stars, downloads or recent`. */
function alternatives(values: readonly unknown[]): string {
  const words = values.map(String)
  const last = words.pop() ?? ''
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`
}

function atLeast({ origin, minimum, inclusive, exact }: Raw<'too_small'>): string {
  const unit = unitOf(origin, minimum)
  if (unit === undefined) return `must be ${inclusive ? 'at least' : 'more than'} ${minimum}`
  if (minimum === 1 && !exact) return 'must not be empty'
  return `${unit.verb} ${exact ? 'exactly' : 'at least'} ${minimum} ${unit.name}`
}

function atMost({ origin, maximum, inclusive, exact }: Raw<'too_big'>): string {
  const unit = unitOf(origin, maximum)
  if (unit === undefined) return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`
  return `${unit.verb} ${exact ? 'exactly' : 'at most'} ${maximum} ${unit.name}`
}

/** What the size of a value counts; undefined for a number, which is its own size. */
function unitOf(origin: string, size: number | bigint) {
  const end = Number(size) === 1
  if (origin === 'string') return { verb: 'must be', name: end ? 'character' : 'characters' }
  if (origin === 'array') return { verb: 'must have', name: end ? 'entry' : 'entries' }
  return undefined
}

const forms: Readonly<Record<string, string>> = {
  datetime: 'be a date and a time such as 2027-01-31T00:00:00Z',
  uuid: 'be a UUID',
}

/** What would do in place of a value that is none of several things. */
function ofUnion({ discriminator, options, errors, input }: Raw<'invalid_union'>): string {
  if (discriminator !== undefined) {
    const given = Object(input)[discriminator] as unknown
    return isMissing(given) ?? `must be ${alternatives(Array.isArray(options) ? options : [])}`
  }
  if (input === undefined) return 'is required'
  const words = new Set(errors.map(firstOf))
  const wanted = [...words].map((word) => word.replace(/^must be |, not .*$/g, ''))
  const isChoice = [...words].every((word) => word.startsWith('must be '))
  return isChoice && words.size > 0 ? `must be ${alternatives(wanted)}` : firstOf(errors[0] ?? [])
}

/** The first of some faults, with its place where that lies deeper. */
function firstOf([issue]: readonly z.core.$ZodIssue[]): string {
  if (!issue) return notValid
  const { path, message } = issue
  return path.length === 0 ? message : `${notValid}: ${path.map(String).join('.')} ${message}`
}
