import { type RouteMetadata, scopeCatalogue } from '@skillpass/contract'
import fc from 'fast-check'
import { credentialsOf, declare, generalApp } from '../support/apps.ts'
import { sha256 } from '../support/bundles.ts'
import { type Route, routes } from '../support/contract.ts'
import { basic, grantOf } from '../support/oauth-server.ts'
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
  const drawn = seededRandom(seed)
  const scopes = scopeCatalogue.flatMap(({ scope, level }) => (level === 'admin' ? [scope] : []))
  const more = await declare(service, {
    apps: [generalApp('Everything', scopes, { level: 'account' })],
  })
  const app = credentialsOf(more, 'Everything')
  const { access_token } = await grantOf(service, app, { email: 'admin@acme.test' })
  const credentials: Record<RouteMetadata['auth'], string> = {
    none: `Bearer ${key}`,
    apiKey: `Bearer ${key}`,
    client: basic(app),
    accessToken: `Bearer ${access_token}`,
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
        await service.ask(path, init, kind)
      }
    }
  }
}
