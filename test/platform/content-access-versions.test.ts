import { compareVersions, showsIndicator } from '@skillpass/server/platform/versions'
import { array, assert, nat, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listener, meetingOf } from '../support/meetings.ts'
import { startOAuthServer } from '../support/oauth-server.ts'

describe('versions', () => {
  test('versions compare by number, part by part', () => {
    const parts = array(nat(30), { minLength: 1, maxLength: 4 })
    assert(
      property(parts, parts, (a, b) => {
        // Padded to a width, texts sort as their numbers do.
        const key = (one: number[]) =>
          Array.from({ length: 4 }, (_, at) => String(one[at] ?? 0).padStart(2, '0')).join()
        const expected = key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0
        expect(Math.sign(compareVersions(a.join('.'), b.join('.')))).toBe(expected)
      }),
    )
  })

  test.each([
    ['5.6.7', true],
    ['5.6.7.1016', true],
    ['5.6.8', true],
    ['5.10.0', true],
    ['5.17.11 (3835)', true],
    ['10.0', true],
    ['6', true],
    ['5.6.6', false],
    ['5.6.6.9999', false],
    ['5.6', false],
    ['5.6 (9)', false],
    ['4.99.99', false],
    ['0.0.0', false],
  ])('version %s of the client shows the indicator: %s', (version, shows) => {
    expect(showsIndicator('client', version)).toBe(shows)
  })
})

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

  test('the icon of the indicator is at its address, for any site', async () => {
    const { icon_url } = (await app.indicator(id)).body
    const icon = await server.http(new URL(String(icon_url)).pathname)
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(icon.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(await icon.text()).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/)
  })
})
