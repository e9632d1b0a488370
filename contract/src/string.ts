import { z } from 'zod'

/** A text of an answer or a parameter, with what it is and how it looks. */
export const string = (description: string, example?: string) =>
  z.string().meta({ description, ...(example !== undefined && { example }) })
