import { createMeetingToken } from '@skillpass/server/internal/people/meeting-tokens'
import { expect, test, vi } from 'vitest'
import { declare, userOf } from '../../support/apps.ts'
import { accountTokenOf, meetingOf } from '../../support/meetings.ts'
import { openSession } from '../../support/people.ts'
import { secretsIn, startLogging } from './logging-server.ts'

test('passcodes and meeting tokens never appear in logs, metrics or responses to others', async () => {
  const { apply, ctx, http, log } = await startLogging()
  const applied = await declare({ apply })
  const email = 'member@acme.test'
  const { id } = await meetingOf({ ctx, applied }, email, {
    password: 'Pa55w0rd@*',
    startedAt: null,
  })
  const user = userOf(applied, email)
  const bearer = await accountTokenOf({ ctx, applied }, 'Scheduler')
  const zak = await createMeetingToken(ctx, { user, type: 'zak', bearer })
  const token = await createMeetingToken(ctx, { user, type: 'token', bearer })
  const session = openSession({ http })
  const paths = [
    `?pwd=${encodeURIComponent('Pa55w0rd@*')}`,
    `?token=${token}`,
    `/start?zak=${zak}`,
    `/end?zak=${zak}`,
  ]
  for (const path of paths) await session.get(`/meetings/${id}${path}`)
  const start = `/meetings/${id}/start`
  const host = await (await session.get(`${start}?zak=${zak}`)).text()
  expect((await session.submit(host, start)).status).toBe(303)
  const form = await (await session.get(`/meetings/${id}`)).text()
  const entered = await session.submit(form, `/meetings/${id}`, { passcode: 'Pa55w0rd@*' })
  expect(entered.status).toBe(303)

  // Send them where they are not valid, and while the database fails.
  const responses: string[] = [form]
  const read = async (response: Response) => responses.push(await response.text())
  await read(await session.get(`/meetings/99999999999?pwd=${encodeURIComponent('Pa55w0rd@*')}`))
  await read(await session.get(`/meetings/${id}?token=${zak}`))
  await read(await session.get(`/meetings/${zak}`))
  await read(await session.get(`${start}?zak=${token}`))
  await read(await session.post(start, { zak, csrf: token }))
  vi.spyOn(ctx.db.read.getExecutor(), 'executeQuery').mockRejectedValue(new Error('unexpected'))
  const broken = await session.get(`${start}?zak=${zak}&pwd=Pa55w0rd@*`)
  expect(broken.status).toBe(500)
  await read(broken)

  const logged = log()
  expect(logged).toContain('/meetings/:id/start')
  expect(logged).toContain('request failed')
  const places = {
    logged,
    metrics: await ctx.metrics.registry.metrics(),
    responses: responses.join(),
  }
  const secrets = [zak, token, 'Pa55w0rd', zak.slice(-20), token.slice(-20)]
  expect(secretsIn(places, secrets)).toEqual([])
})
