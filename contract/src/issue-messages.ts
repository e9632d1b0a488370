import { z } from 'zod'

/**
 * Returns the message for a validation issue. Messages are predicates for the name of the field:
 * `task is required`, `limit must be at most 50`. A message that the schema defines takes
 * precedence.
 */
export const issueMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return requiredMessage(issue.input) ?? typeMessage(issue.expected, issue.input)
    case 'invalid_value':
      return requiredMessage(issue.input) ?? `must be ${alternatives(issue.values)}`
    case 'too_small':
      return minimumMessage(issue)
    case 'too_big':
      return maximumMessage(issue)
    case 'invalid_format':
      return `must ${forms[issue.format] ?? `match ${issue.pattern}`}`
    case 'unrecognized_keys':
      return 'is not a known field'
    case 'invalid_union':
      return unionMessage(issue)
    default:
      return notValid
  }
}

type Raw<C extends z.core.$ZodIssueCode> = z.core.$ZodRawIssue<
  Extract<z.core.$ZodIssue, { code: C }>
>

const notValid = 'is not valid'

const requiredMessage = (input: unknown) => (input === undefined ? 'is required' : undefined)

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

/** Returns "must be a string, not a number", without the second part if both are numbers. */
function typeMessage(expected: string, input: unknown): string {
  const wanted = `must be ${types[expected] ?? expected}`
  const sent = z.core.util.parsedType(input)
  const isNumber = typeof input === 'number'
  if (isNumber && (expected === 'int' || expected === 'number')) return wanted
  return `${wanted}, not ${sent === 'boolean' ? 'a boolean' : (types[sent] ?? sent)}`
}

/** Joins values: `stars, downloads or recent`. */
function alternatives(values: readonly unknown[]): string {
  const words = values.map(String)
  const last = words.pop() ?? ''
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`
}

function minimumMessage({ origin, minimum, inclusive, exact }: Raw<'too_small'>): string {
  const unit = unitOf(origin, minimum)
  if (unit === undefined) return `must be ${inclusive ? 'at least' : 'more than'} ${minimum}`
  if (minimum === 1 && !exact) return 'must not be empty'
  return `${unit.verb} ${exact ? 'exactly' : 'at least'} ${minimum} ${unit.name}`
}

function maximumMessage({ origin, maximum, inclusive, exact }: Raw<'too_big'>): string {
  const unit = unitOf(origin, maximum)
  if (unit === undefined) return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`
  return `${unit.verb} ${exact ? 'exactly' : 'at most'} ${maximum} ${unit.name}`
}

/** Returns the verb and unit for the size of a value; undefined for numbers. */
function unitOf(origin: string, size: number | bigint) {
  const isSingular = Number(size) === 1
  if (origin === 'string') return { verb: 'must be', name: isSingular ? 'character' : 'characters' }
  if (origin === 'array') return { verb: 'must have', name: isSingular ? 'entry' : 'entries' }
  return undefined
}

const forms: Readonly<Record<string, string>> = {
  datetime: 'be a date and time such as 2027-01-31T00:00:00Z',
  uuid: 'be a UUID',
}

/** Returns the message for a value that matches no option of a union. */
function unionMessage({ discriminator, options, errors, input }: Raw<'invalid_union'>): string {
  if (discriminator !== undefined) {
    const value = Object(input)[discriminator] as unknown
    return (
      requiredMessage(value) ?? `must be ${alternatives(Array.isArray(options) ? options : [])}`
    )
  }
  if (input === undefined) return 'is required'
  const messages = new Set(errors.map(firstMessage))
  const wanted = [...messages].map((message) => message.replace(/^must be |, not .*$/g, ''))
  const isChoice = [...messages].every((message) => message.startsWith('must be '))
  return isChoice && messages.size > 0
    ? `must be ${alternatives(wanted)}`
    : firstMessage(errors[0] ?? [])
}

/** Returns the message of the first issue, with its path if it is nested. */
function firstMessage([issue]: readonly z.core.$ZodIssue[]): string {
  if (!issue) return notValid
  const { path, message } = issue
  return path.length === 0 ? message : `${notValid}: ${path.map(String).join('.')} ${message}`
}
