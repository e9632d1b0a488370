import { describe, expect, test } from 'vitest'
import { startAppManagers } from '../../support/app-managers.ts'
import { callback } from '../../support/apps.ts'
import { engines } from '../../support/databases.ts'
import { atOnce } from '../../support/oauth-server.ts'
import { roundsOf } from '../../support/rounds.ts'

const rounds = roundsOf(3)

describe.each(engines)('concurrent changes of an app on %s', async (engine) => {
  const server = await startAppManagers({ engine })
  const patch = (id: string, body: object) => server.call('admin', 'PATCH', `/apps/${id}`, body)
  const read = async (id: string) => (await server.call('admin', 'GET', `/apps/${id}`)).body

  test('concurrent changes of an app do not overwrite each other', async () => {
    const { id } = await server.register('admin')
    for (let round = 0; round < rounds; round++) {
      const isOn = round % 2 === 0
      const scopes = isOn ? ['user:read:user'] : []
      const changes = [
        { device_flow: isOn },
        { require_s256: isOn },
        { visibility: isOn ? 'public' : 'private' },
        { deauthorization_url: isOn ? 'http://127.0.0.1:1/' : null },
        { development: { scopes } },
        { development: { redirect_uris: isOn ? [callback] : [] } },
        { production: { optional_scopes: scopes } },
      ]
      const answers = await Promise.all(changes.map((body) => patch(id, body)))
      expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
      expect(await read(id)).toMatchObject({
        ...changes[0],
        ...changes[1],
        ...changes[2],
        ...changes[3],
        development: { scopes, redirect_uris: isOn ? [callback] : [] },
        production: { optional_scopes: scopes },
      })
    }
  })

  test('after concurrent rotations the latest secret and its predecessor work', async () => {
    const made = await server.register('admin', { type: 'chatbot' })
    const { client_id } = made.production
    const path = `/apps/${made.id}/rotate_client_secret`
    const answers = await atOnce(4, () =>
      server.call('admin', 'POST', path, { environment: 'production' }),
    )
    const secrets = answers.map(({ body }) => String(body.client_secret))
    expect(new Set(secrets).size).toBe(4)
    const isGood = async (clientSecret: string) => {
      const app = { clientId: client_id, clientSecret }
      return (await server.token(app, { grant_type: 'client_credentials' })).status === 200
    }
    const good = await Promise.all([...secrets, made.production.client_secret].map(isGood))
    expect(good.filter(Boolean)).toHaveLength(2)
    expect(good.at(-1)).toBe(false)
  })
})
