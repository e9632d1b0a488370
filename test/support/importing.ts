import { z } from 'zod'
import type { TestServer } from './server.ts'

const Report = z.strictObject({
  imported: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  warned: z.int(),
  refused: z.int(),
  seconds: z.number(),
  notes: z.array(
    z.strictObject({
      source: z.string(),
      kind: z.enum(['warning', 'refused']),
      rule: z.string(),
      message: z.string(),
    }),
  ),
})

/**
 * Imports skills into the registry of a server. Returns the report, also if nothing was imported.
 */
export const importSkills = async (
  { operate }: Pick<TestServer, 'operate'>,
  path: string,
  ...options: string[]
) => Report.parse(await operate('import', path, ...options))
