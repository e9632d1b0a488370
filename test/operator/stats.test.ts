import { expect, test } from 'vitest'
import { operateJson } from '../support/commands.ts'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

const server = await startTestServer()

test('stats counts what exists, was added in 30 days, and needs the operator', async () => {
  const agent = await server.agent('counted')
  const before = await operateJson(server.database, 'stats')
  await publish(agent)
  const after = await operateJson(server.database, 'stats')
  const count = (stats: typeof before, name: string) => stats[name] as Record<string, number>
  expect(count(after, 'skills').total).toBe((count(before, 'skills').total ?? 0) + 1)
  expect(count(after, 'versions').month).toBe((count(before, 'versions').month ?? 0) + 1)
  expect(after).toMatchObject({ openReports: 0, pendingUsers: 0, undeliveredWebhooks: 0 })
})
