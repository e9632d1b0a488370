import { listAudit } from '@skillpass/server/internal/audit/list'
import type { TestServer } from './server.ts'

type Server = Pick<TestServer, 'clock' | 'ctx'>

/** Reads the audit log of a server, newest first. */
export async function entriesOf({ ctx }: Server) {
  await ctx.failedSignIns.flush()
  // The server may still be writing entries. A later write waits for that.
  await ctx.db.write(async () => {})
  return listAudit(ctx, { limit: 10_000 })
}

/** Returns the audit entries that an action adds. */
export async function addedBy(server: Server, act: () => Promise<unknown>) {
  const before = new Set((await entriesOf(server)).map(({ id }) => id))
  server.clock.advance(1)
  await act()
  return (await entriesOf(server)).filter(({ id }) => !before.has(id))
}
