import { z } from 'zod'
import type { TestServer } from './server.ts'

const Entry = z.looseObject({
  id: z.string(),
  action: z.string(),
  who: z.string().nullable(),
  whoKind: z.string(),
  whomName: z.string().nullable(),
  note: z.string().nullable(),
  count: z.int(),
})

type Server = Pick<TestServer, 'clock' | 'ctx' | 'operate' | 'runJob'>

/** Reads the audit log of a server, newest first. */
export async function entriesOf({ ctx, operate, runJob }: Server) {
  await runJob('writing failed sign-ins')
  // The server may still be writing entries. A later write waits for that.
  await ctx.db.write(async () => {})
  const { entries } = await operate('audit', '--limit', '10000')
  return z.array(Entry).parse(entries)
}

/** Returns the newest audit entry of an operator. */
export const lastOperatorAct = async (server: Server) =>
  (await entriesOf(server)).find(({ whoKind }) => whoKind === 'operator')

/** Returns the audit entries that an action adds. */
export async function addedBy(server: Server, act: () => Promise<unknown>) {
  const before = new Set((await entriesOf(server)).map(({ id }) => id))
  server.clock.advance(1)
  await act()
  return (await entriesOf(server)).filter(({ id }) => !before.has(id))
}
