import { describe, expect, test } from 'vitest'
import { listener, meetingOf } from '../support/meetings.ts'
import { startOAuthServer } from '../support/oauth-server.ts'

describe('the indicator', async () => {
  const server = await startOAuthServer()
  const app = listener(server, (await server.grantOf(server.app('Scheduler'))).access_token)
  const { id } = await meetingOf(server, 'member@acme.test')
  await app.report(id)

  test.each([
    'client_version=5.6.7',
    'meeting_sdk_version=5.9.0',
    'client_version=5.17.11+(3835)',
    'client_version=5.6.7&meeting_sdk_version=',
    'client_version=&meeting_sdk_version=5.9.0',
  ])('the indicator is shown at %s', async (query) => {
    expect((await app.indicator(id, query)).body).toMatchObject({ supported: true, active: true })
  })

  test.each(['client_version=5.6.6', 'meeting_sdk_version=5.8.9', 'meeting_sdk_version=5.6.7'])(
    'the indicator is unsupported and empty at %s',
    async (query) => {
      const empty = { supported: false, active: false, icon_url: null, tooltip: null, apps: [] }
      expect((await app.indicator(id, query)).body).toEqual(empty)
    },
  )

  test.each([
    '',
    'client_version=',
    'client_version=5.6.7&meeting_sdk_version=5.9.0',
    'client_version=&meeting_sdk_version=',
    'client_version=5.6.7&client_version=5.6.7',
    'client_version[]=5.6.7',
    'client_version=v5.6.7',
    'client_version=5.6.x',
    'client_version=5..7',
    'client_version=5.6.',
    'client_version=-5.6.7',
    'client_version=%2B5.6.7',
    'client_version=1e9',
    'client_version=5.6.7+beta',
    'client_version=5.6.7%0A',
    'client_version=%00',
    `client_version=${'9'.repeat(400)}`,
    'version=5.6.7',
  ])('a query of the indicator without exactly one valid version is 300: %j', async (query) => {
    const answer = await app.indicator(id, query)
    expect([answer.status, answer.body.code]).toEqual([400, 300])
    expect(answer.text).toMatch(/"field":"(client|meeting_sdk)_version","message":"[^"]+"/)
  })
})
