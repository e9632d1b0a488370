import { z } from 'zod'

/** Fields of answers, and parameters, with what they are and how they look. */

const meta = <E>(description: string, example: E | undefined) => ({
  description,
  ...(example !== undefined && { example }),
})

export const string = (description: string, example?: string) =>
  z.string().meta(meta(description, example))

export const boolean = (description: string, example?: boolean) =>
  z.boolean().meta(meta(description, example))

export const int = (description: string, example?: number) =>
  z.int().meta(meta(description, example))

export const strings = (description: string, example?: string[]) =>
  z.array(z.string()).meta(meta(description, example))
