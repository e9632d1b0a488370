import { z } from 'zod'

// Clients of meeting platforms send many numbers and booleans as text, so these schemas accept
// both.

const whole = /^-?\d{1,15}$/

/** An integer that can also be sent as text. */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess((sent: number) => readNumber(sent), z.int().min(min).max(max))

/** One of the given numbers, which can also be sent as text. */
export const oneOfNumbers = <const T extends readonly number[]>(numbers: T) =>
  z.preprocess((sent: T[number]) => readNumber(sent), z.literal(numbers))

/** A boolean that can also be sent as text. */
export const flag = (description: string, example: boolean) =>
  z.preprocess((sent: boolean) => readFlag(sent), z.boolean()).meta({ description, example })

/** An optional field for which an empty string and null count as absent. */
export const emptyAsAbsent = <S extends z.ZodType>(schema: S) =>
  z.preprocess((sent: z.input<S>) => readEmpty(sent), schema.optional()).optional()

/** An optional field for which null counts as absent, but an empty string is a value. */
export const nullAsAbsent = <S extends z.ZodType>(schema: S) =>
  z.preprocess((sent: z.input<S>) => sent ?? undefined, schema.optional()).optional()

/** A field that defaults to `value` if it is absent, empty or null. */
export const emptyAsDefault = <T extends string | number, I>(schema: z.ZodType<T, I>, value: T) =>
  z.preprocess((sent: I) => readEmpty(sent) ?? value, schema).default(value)

/** An object whose null members, and empty members that are not `clearable`, count as absent. */
export const emptyMembersAsAbsent = <S extends z.ZodType>(
  schema: S,
  ...clearable: readonly string[]
) => z.preprocess((sent: z.input<S>) => dropEmpty(sent, clearable), schema)

/** An optional number for which zero counts as absent. */
export const zeroAsAbsent = <S extends z.ZodType<number>>(schema: S) =>
  z.preprocess((sent: z.input<S>) => dropZero(sent), schema.optional()).optional()

/** A number that defaults to `value` if it is absent or zero. */
export const zeroAsDefault = <I>(schema: z.ZodType<number, I>, value: number) =>
  z.preprocess((sent: I) => dropZero(sent) ?? value, schema).default(value)

/** Text that can also be sent as a number. */
export const numberAsText = <S extends z.ZodType<string, string>>(schema: S) =>
  z.preprocess((sent: string) => readText(sent), schema)

function dropEmpty(sent: unknown, clearable: readonly string[]): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) =>
        readEmpty(value) !== undefined || (value === '' && clearable.includes(name)),
    ),
  )
}

function dropZero(sent: unknown): unknown {
  return readNumber(sent) === 0 ? undefined : sent
}

function readText(sent: unknown): unknown {
  return typeof sent === 'number' ? String(sent) : sent
}

function readNumber(sent: unknown): unknown {
  return typeof sent === 'string' && whole.test(sent) ? Number(sent) : sent
}

function readFlag(sent: unknown): unknown {
  const word = typeof sent === 'string' ? sent.toLowerCase() : undefined
  if (word === 'true') return true
  return word === 'false' ? false : sent
}

function readEmpty(sent: unknown): unknown {
  return sent === '' || sent === null ? undefined : sent
}
