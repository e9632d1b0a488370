import { z } from 'zod'

/**
 * Fields as clients of meeting platforms send them: many write numbers and booleans as text, so
 * what stands for one without doubt is taken for it.
 */

const whole = /^-?\d{1,15}$/

/** A whole number that may also be sent as text. */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess((sent: number) => readNumber(sent), z.int().min(min).max(max))

/** One of a few numbers, which may also be sent as text. */
export const oneOfNumbers = <const T extends readonly number[]>(numbers: T) =>
  z.preprocess((sent: T[number]) => readNumber(sent), z.literal(numbers))

/** A boolean that may also be sent as text. */
export const flag = (description: string, example: boolean) =>
  z.preprocess((sent: boolean) => readFlag(sent), z.boolean()).meta({ description, example })

/** What counts as absent where it is empty or null. */
export const emptyAsAbsent = <S extends z.ZodType>(schema: S) =>
  z.preprocess((sent: z.input<S>) => readEmpty(sent), schema.optional()).optional()

/** What counts as absent where it is null; an empty text is one. */
export const nullAsAbsent = <S extends z.ZodType>(schema: S) =>
  z.preprocess((sent: z.input<S>) => sent ?? undefined, schema.optional()).optional()

/** What is `value` where it is absent, empty or null. */
export const emptyAsDefault = <T extends string | number, I>(schema: z.ZodType<T, I>, value: T) =>
  z.preprocess((sent: I) => readEmpty(sent) ?? value, schema).default(value)

/** An object whose members count as absent where they are null, or empty unless they are `clearable`. */
export const emptyMembersAsAbsent = <S extends z.ZodType>(
  schema: S,
  ...clearable: readonly string[]
) => z.preprocess((sent: z.input<S>) => dropEmpty(sent, clearable), schema)

/** A number that counts as absent where it is zero. */
export const zeroAsAbsent = <S extends z.ZodType<number>>(schema: S) =>
  z.preprocess((sent: z.input<S>) => dropZero(sent), schema.optional()).optional()

/** A number that is `value` where it is absent or zero. */
export const zeroAsDefault = <I>(schema: z.ZodType<number, I>, value: number) =>
  z.preprocess((sent: I) => dropZero(sent) ?? value, schema).default(value)

/** Text that may also be sent as a number. */
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
