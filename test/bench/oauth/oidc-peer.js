import { createServer } from 'node:http'
import Database from 'better-sqlite3'
import Provider from 'oidc-provider'

/**
 * The peer: oidc-provider with opaque tokens and rotation, on an SQLite file with the same
 * durability as Skillpass. `GET /seed?tokens=N` creates N refresh tokens, each with its own grant.
 * Arguments: port, file. It is JavaScript, because compiling TypeScript at run time would slow it
 * down.
 */
const [port = '0', file = ''] = process.argv.slice(2)

const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: durableAdapter(file),
  clients: [
    {
      client_id: 'bench',
      client_secret: 'bench-secret',
      grant_types: ['client_credentials', 'authorization_code', 'refresh_token'],
      redirect_uris: ['https://app.example.com/callback'],
    },
  ],
  scopes: ['openid', 'offline_access'],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
  },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  rotateRefreshToken: true,
  ttl: { AccessToken: 3600, ClientCredentials: 3600, Grant: 86_400, RefreshToken: 86_400 },
})

async function seed(accountId) {
  const client = await provider.Client.find('bench')
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.addOIDCScope('openid offline_access')
  const issued = { accountId, client, gty: 'authorization_code', grantId: await grant.save() }
  // Without openid, because Skillpass does not sign an ID token at each rotation.
  return new provider.RefreshToken({ ...issued, scope: 'offline_access' }).save()
}

const handle = provider.callback()
createServer(async (req, res) => {
  const [, tokens] = /^\/seed\?tokens=(\d+)$/.exec(req.url) ?? []
  if (tokens === undefined) return handle(req, res)
  const people = Array.from({ length: Number(tokens) }, (_, index) => `member-${index}`)
  res.end(JSON.stringify(await Promise.all(people.map(seed))))
}).listen(Number(port), '127.0.0.1')

/** The part of oidc-provider's adapter interface that these requests use. */
function durableAdapter(path) {
  const db = new Database(path)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.exec('create table entries (key text primary key, payload text not null) without rowid')
  const put = db.prepare('insert or replace into entries values (?, ?)')
  const get = db.prepare('select payload from entries where key = ?').pluck()
  const consume = db.prepare(
    "update entries set payload = json_set(payload, '$.consumed', unixepoch()) where key = ?",
  )
  const remove = db.prepare('delete from entries where key = ?')
  return (model) => ({
    upsert: async (id, payload) => put.run(`${model}:${id}`, JSON.stringify(payload)),
    find: async (id) => {
      const payload = get.get(`${model}:${id}`)
      return payload && JSON.parse(payload)
    },
    consume: async (id) => consume.run(`${model}:${id}`),
    destroy: async (id) => remove.run(`${model}:${id}`),
  })
}
