import { expect, test, vi } from 'vitest'
import { declare } from '../../support/apps.ts'
import { makeMeeting, meetingToken } from '../../support/meetings.ts'
import { openSession } from '../../support/people.ts'
import { secretsIn, startLogging } from './logging-server.ts'

test('passcodes and meeting tokens never appear in logs, metrics or responses to others', async () => {
  const server = await startLogging()
  const { ctx, http, log } = server
  await declare(server)
  const email = 'member@acme.test'
  const { id } = await makeMeeting(server, email, { password: 'Pa55w0rd@*' })
  const zak = await meetingToken(server, email, 'zak')
  const token = await meetingToken(server, email, 'token')
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
