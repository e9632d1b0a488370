import { type RouteMetadata, scopeCatalogue } from '@skillpass/contract'
import fc from 'fast-check'
import { callback, credentialsOf, declare, generalApp, password } from '../support/apps.ts'
import { sha256 } from '../support/bundles.ts'
import { type Route, routes } from '../support/contract.ts'
import { basic } from '../support/oauth-client.ts'
import { signIn } from '../support/people.ts'
import { pick, seededRandom } from '../support/random.ts'
import { type Parts, requestOf, requests } from '../support/random-requests.ts'
import type { PublishedSkill } from './registry.ts'
import { type RecordedService, seed } from './service.ts'

/** Each route with valid, changed and random requests. */
export async function askRandomly(
  service: RecordedService,
  [key = '']: readonly string[],
  skills: readonly PublishedSkill[],
) {
  const { ask, http } = service
  const drawn = seededRandom(seed)
  const scopes = scopeCatalogue.flatMap(({ scope, level }) => (level === 'admin' ? [scope] : []))
  const more = await declare(service, {
    apps: [generalApp('Everything', scopes, { level: 'account' })],
  })
  const app = credentialsOf(more, 'Everything')
  const session = await signIn(service, { email: 'admin@acme.test', password })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: callback,
  })
  const html = await (await session.get(`/oauth/authorize?${query}`)).text()
  const back = (await session.submit(html, '/oauth/consent', { decision: 'allow' })).headers.get(
    'location',
  )
  const code = new URL(back ?? '').searchParams.get('code') ?? ''
  const tokens = await (
    await http('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: callback }),
      headers: { Authorization: basic(app) },
    })
  ).json()
  const credentials: Record<RouteMetadata['auth'], string> = {
    none: `Bearer ${key}`,
    apiKey: `Bearer ${key}`,
    client: basic(app),
    accessToken: `Bearer ${tokens.access_token}`,
  }
  // A route that ends what the others need comes last.
  const ending = (route: Route) =>
    Number(
      /revoke|api-keys/.test(route.path) || (route.method === 'DELETE' && /users/.test(route.path)),
    )
  for (const [at, route] of [...routes].sort((a, b) => ending(a) - ending(b)).entries()) {
    const ids = {
      id: pick(skills, drawn)?.id ?? '',
      repoId: 'none',
      owner: 'writer-0',
      blob: { digest: `sha256:${sha256('# Notes 0\n')}`, size: 10 },
      userId: 'me',
      meetingId: '1',
      appId: 'none',
    }
    const kinds = requests(route, ids)
    for (const kind of ['valid', 'mutated', 'garbage'] as const) {
      for (const parts of fc.sample<Parts>(kinds[kind], { seed: seed + at, numRuns: 8 })) {
        const { path, init } = requestOf(
          route,
          parts,
          credentials[(route.metadata as RouteMetadata).auth],
        )
        await ask(path, init, kind)
      }
    }
  }
}
