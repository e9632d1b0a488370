import { z } from 'zod'
import type { TestServer } from './server.ts'

const Reports = z.array(z.looseObject({ id: z.string(), skillId: z.string() }))

/** Returns the open reports on a skill. */
export async function reportsOn(server: TestServer, { id }: { readonly id: string }) {
  const { reports } = await server.operate('reports list', '--limit', '1000')
  return Reports.parse(reports).filter(({ skillId }) => skillId === id)
}
