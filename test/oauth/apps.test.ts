import type { DeclarationInput } from '@skillpass/server/apply/apply'
import { rotateClientSecretByOperator, secretOverlap } from '@skillpass/server/apps/apps'
import { findClient, findClients, listRedirectUris } from '@skillpass/server/apps/store/clients'
import { decideApproval, listApprovals, requestApproval } from '@skillpass/server/oauth/approvals'
import { findApproval } from '@skillpass/server/oauth/store/approvals'
import { insertGrant } from '@skillpass/server/oauth/store/grants'
import type { UserRecord } from '@skillpass/server/platform/store/user-record'
import { findUser } from '@skillpass/server/platform/store/users'
import { hashSecret, parseSecret } from '@skillpass/server/secrets/secrets'
import { describe, expect, test } from 'vitest'
import { accountOf, appOf, credentialsOf, declare, testAccounts, userOf } from '../support/apps.ts'
import { engine } from '../support/databases.ts'
import { openOperations, textOf } from '../support/operations.ts'
import { words } from '../support/words.ts'

type DeclaredApp = NonNullable<DeclarationInput['apps']>[number]

describe('apps', async () => {
  const { ctx, clock } = await openOperations(engine)
  const inProduction = {
    ...ctx,
    config: { ...ctx.config, environment: 'production' as const, allowsPrivateWebhooks: false },
  }
  const applied = await declare({ ctx })
  const clientOf = async (name: string, environment?: 'development' | 'production') => {
    const { clientId } = credentialsOf(applied, name, environment)
    const client = await findClient(ctx.db.read, clientId)
    if (!client) throw new Error(`There is no client ${clientId}.`)
    return client
  }
  let apps = 0
  /** Declares an app of its own. */
  const make = async (app: Partial<DeclaredApp>, context = ctx) => {
    const name = `App ${++apps}`
    const whole: DeclaredApp = { name, account: 'Acme', type: 'general', ...app }
    return appOf(await declare({ ctx: context }, { apps: [whole] }), name)
  }
  /** Tries the same, for the refusal's text. */
  const refusal = (app: Partial<DeclaredApp>, context = ctx) =>
    make(app, context).then(
      () => 'made',
      (error: Error) => error.message,
    )

  test('have two sets of credentials, both good in any form of Basic, and hashes in the database', async () => {
    const made = appOf(applied, 'Scheduler')
    const secrets = [made.development, made.production].map(({ clientId, clientSecret = '' }) => {
      expect(clientId).toMatch(/^[0-9A-Za-z]{22}$/)
      expect(parseSecret('clientSecret', clientSecret)).toBe(clientSecret)
      return clientSecret
    })
    expect(made.development.clientId).not.toBe(made.production.clientId)
    expect(parseSecret('webhookSecret', made.secretToken ?? '')).toBe(made.secretToken)
    const stored = await textOf(ctx, 'apps', 'clients')
    for (const secret of secrets) expect(stored).not.toContain(secret.slice(8))
    for (const environment of ['development', 'production'] as const) {
      expect(await clientOf('Scheduler', environment)).toMatchObject({
        environment,
        scopes: ['user:read:user', 'meeting:read:list_meetings'],
        optionalScopes: ['meeting:write:meeting'],
        app: { accountName: 'Acme', level: 'user', visibility: 'public', deviceFlow: true },
      })
    }
  })

  test('are by default for users, private, without device flow; a public client must use S256', async () => {
    expect((await clientOf('Private')).app).toMatchObject({
      level: 'user',
      visibility: 'private',
      deviceFlow: false,
      publicClient: false,
      requireS256: false,
      disabled: false,
    })
    expect((await clientOf('Pocket')).app).toMatchObject({ publicClient: true, requireS256: true })
    expect((await clientOf('Strict')).app).toMatchObject({ publicClient: false, requireS256: true })
    expect((await clientOf('Off')).app.disabled).toBe(true)
    expect(await refusal({ publicClient: true, requireS256: false })).toBe(
      'apps[0].requireS256: a public client must use PKCE with S256',
    )
  })

  test('a chatbot has imchat:bot unless it names scopes, and nobody else may have it', async () => {
    expect((await clientOf('Helper bot')).scopes).toEqual(['imchat:bot'])
    for (const type of ['general', 'server-to-server'] as const) {
      expect(await refusal({ type, scopes: ['imchat:bot'] })).toBe(
        'apps[0].scopes[0]: only chatbots have the scope imchat:bot',
      )
    }
    expect(await refusal({ type: 'chatbot', optionalScopes: ['imchat:bot'] })).toBe(
      'apps[0].optionalScopes[0]: the scope imchat:bot cannot be optional',
    )
  })

  test.each([
    'user:read:user:admin',
    'user:read:user:master',
    'user:read:admin',
    'user:master',
    'room:write:device:admin',
  ])('%s is for apps on the account level and for server-to-server apps', async (scope) => {
    for (const key of ['scopes', 'optionalScopes'] as const) {
      expect(await refusal({ [key]: [scope] })).toMatch(
        new RegExp(`^apps\\[0\\]\\.${key}\\[0\\]: a user-level app cannot have the \\w+ scope`),
      )
    }
    expect(await make({ level: 'account', scopes: [scope] })).toHaveProperty('id')
    expect(await make({ type: 'server-to-server', scopes: [scope] })).toHaveProperty('id')
  })

  test('scopes are those of the platform, each once, and optional where they are named in both lists', async () => {
    for (const scope of [
      '',
      'constructor',
      'user:read:user x',
      'user:look:user',
      'User:read:user',
    ]) {
      expect(await refusal({ scopes: ['user:read:user', scope] })).toBe(
        `apps[0].scopes[1]: "${scope}" is not a scope of the platform`,
      )
    }
    expect(await refusal({ optionalScopes: ['user:read'] })).toBe(
      'apps[0].optionalScopes[0]: only granular scopes can be optional',
    )
    const made = await make({
      scopes: ['user:read:user', 'meeting:write:meeting', 'user:read:user'],
      optionalScopes: ['meeting:write:meeting', 'meeting:write:meeting'],
    })
    expect(await findClient(ctx.db.read, made.production.clientId)).toMatchObject({
      scopes: ['user:read:user'],
      optionalScopes: ['meeting:write:meeting'],
    })
  })

  test('a server-to-server app involves no user', async () => {
    const type = 'server-to-server'
    expect(await refusal({ type, redirectUris: ['https://a.example/'] })).toContain(
      'has no redirect addresses',
    )
    expect(await refusal({ type, optionalScopes: ['user:read:user'] })).toContain(
      'has no optional scopes',
    )
    expect(await refusal({ type, deviceFlow: true })).toContain('apps[0].deviceFlow: only general')
    expect(await refusal({ type, publicClient: true })).toContain('apps[0].publicClient')
  })

  test.each(
    words(`
    https://app.example.com/callback?tenant=1 https://app.example.com:8443/
    http://127.0.0.1:8090/callback http://[::1]:8090/callback http://localhost/callback
    com.example.app:/callback com.example.app://callback
    https://app.example.com/@callback?at=@
  `),
  )('%s may be a redirect address, kept to the letter', async (uri) => {
    const made = await make({ redirectUris: [uri] }, inProduction)
    expect(await listRedirectUris(ctx.db.read, made.development.clientId)).toEqual([uri])
    expect(await listRedirectUris(ctx.db.read, made.production.clientId)).toEqual([uri])
  })

  test.each([
    'http://app.example.com/callback',
    'http://127.0.0.1.example.com/',
    'https://app.example.com/#fragment',
    'https://app.example.com/#',
    'https://user@app.example.com/',
    'https://@app.example.com/',
    'com.example.app://user@host/callback',
    'https://user:secret@app.example.com/',
    'https://*.example.com/',
    'https://app.example.com/*',
    'https://app.example.com/a b',
    'https://app.example.com\\@evil.example/',
    'https://\u0430pp.example.com/',
    'https:/app.example.com',
    'https:app.example.com',
    'https://',
    '//app.example.com/',
    '/callback',
    'app.example.com/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://app.example.com/x',
    '',
    `https://app.example.com/${'x'.repeat(2000)}`,
  ])('%s may not be a redirect address', async (uri) => {
    const answer = await refusal({ redirectUris: ['https://a.example/', uri] }, inProduction)
    expect(answer).toMatch(/^apps\[0\]\.redirectUris\[1\]: must /)
  })

  test.each(['myapp://callback', 'myapp:/callback', 'my-app+1://x?at=1', 'MyApp://callback'])(
    'an installed app with the redirect address %s is a public client (RFC 8252 §7.1)',
    async (uri) => {
      const installed = { redirectUris: [uri], publicClient: true }
      const made = await make(installed, inProduction)
      expect(await listRedirectUris(ctx.db.read, made.production.clientId)).toEqual([uri])
      const message = await refusal({ redirectUris: [uri] }, inProduction)
      expect(message).toMatch(/^apps\[0\]\.redirectUris\[0\]: must be https; an installed app/)
    },
  )

  test.each(
    words(`
    javascript:alert(1) javascript://x/%0aalert(1) JavaScript:/alert(1) vbscript://x data://text/html
    data:text/html,x file:///etc/passwd file://host/x blob:https://app.example.com/x about:blank
    about://blank filesystem:https://app.example.com/x view-source://app.example.com chrome://settings
    chrome-extension://abc/x ms-msdt:/id ms-settings://x intent://scan/#x mailto:/a ws://app.example.com
    wss://app.example.com ftp://app.example.com search-ms:/q x-apple-reminder://x c:/x ab://x myapp:callback
    http:callback jar:https://app.example.com/!/ content://x resource://x moz-extension://x
  `),
  )('%s is never a redirect address, not for a public client either', async (uri) => {
    const installed = { redirectUris: [uri], publicClient: true }
    expect(await refusal(installed, inProduction)).toMatch(/^apps\[0\]\.redirectUris\[0\]: must /)
  })

  test('outside production http may lead anywhere', async () => {
    const app = { redirectUris: ['http://app.test/'], deauthorizationUrl: 'http://app.test/events' }
    expect(await make(app)).toHaveProperty('id')
    expect(await refusal(app, inProduction)).toBe(
      [
        'apps[0].deauthorizationUrl: must be https',
        'apps[0].redirectUris[0]: must be https, save for 127.0.0.1, [::1] and localhost',
      ].join('\n'),
    )
    expect(await refusal({ deauthorizationUrl: 'com.example.app:/events' })).toContain('must be')
  })

  test('origins are known by redirect address, for browsers that call the token endpoint', async () => {
    const { clientId } = credentialsOf(applied, 'Pocket')
    const rows = await ctx.db.read
      .selectFrom('redirect_uris')
      .select('origin')
      .where('client_id', '=', clientId)
      .orderBy('origin')
      .execute()
    expect(rows.map(({ origin }) => origin)).toEqual([
      'com.example.pocket:',
      'http://127.0.0.1:8090',
    ])
  })

  test('a rotated secret is good for a day beside the new one', async () => {
    const { clientId, clientSecret } = credentialsOf(applied, 'Legacy')
    const secret = (await rotateClientSecretByOperator(ctx, clientId)).secret
    expect(await findClient(ctx.db.read, clientId)).toMatchObject({
      secretHash: hashSecret(secret),
      previousSecretExpiresAt: clock.now() + secretOverlap,
    })
    const former = parseSecret('clientSecret', clientSecret)
    expect((await findClient(ctx.db.read, clientId))?.previousSecretHash).toBe(
      former && hashSecret(former),
    )
    const next = (await rotateClientSecretByOperator(ctx, clientId)).secret
    expect(await findClient(ctx.db.read, clientId)).toMatchObject({
      secretHash: hashSecret(next),
      previousSecretHash: former && hashSecret(former),
    })
    await expect(rotateClientSecretByOperator(ctx, 'nobody')).rejects.toMatchObject({
      code: 404,
    })
  })

  describe('approval by an account', async () => {
    const person = async (email: string): Promise<UserRecord> => {
      const user = await findUser(ctx.db.read, userOf(applied, email).id)
      if (!user) throw new Error(`There is no user ${email}.`)
      return user
    }
    const member = await person('member@careful.test')
    const admin = await person('admin@careful.test')
    const state = async (appId: string) =>
      (await findApproval(ctx.db.read, member.accountId, appId))?.state

    test('is asked for once, decided by an admin, and asked for again after a no', async () => {
      const { id } = appOf(applied, 'Scheduler')
      await requestApproval(ctx, member, id)
      const requestedAt = clock.now()
      clock.advance(1000)
      await requestApproval(ctx, admin, id)
      expect(await findApproval(ctx.db.read, member.accountId, id)).toMatchObject({
        state: 'requested',
        requestedBy: member.id,
        requestedAt,
        decidedBy: null,
      })
      await decideApproval(ctx, admin, id, 'declined')
      expect(await state(id)).toBe('declined')
      await requestApproval(ctx, member, id)
      // The no holds while it waits.
      expect(await state(id)).toBe('declined')
      await decideApproval(ctx, admin, id, 'approved')
      await requestApproval(ctx, member, id)
      expect(await findApproval(ctx.db.read, member.accountId, id)).toMatchObject({
        state: 'approved',
        decidedBy: admin.id,
      })
      await expect(decideApproval(ctx, admin, id, 'declined')).rejects.toMatchObject({
        code: 'not_allowed_now',
      })
    })

    test("withdrawn ends the grants of the account's users for this app, and no others", async () => {
      const scheduler = appOf(applied, 'Scheduler')
      const strict = appOf(applied, 'Strict')
      const stranger = await person('member@testAccounts.test')
      const grants = [
        { id: 'ends', appId: scheduler.id, user: member },
        { id: 'other-app', appId: strict.id, user: member },
        { id: 'other-account', appId: scheduler.id, user: stranger },
      ]
      await ctx.db.write(async (trx) => {
        for (const { id, appId, user } of grants) {
          const clientId = (await findClients(trx, appId))?.production.clientId ?? ''
          await insertGrant(trx, {
            id,
            clientId,
            appId,
            userId: user.id,
            accountId: user.accountId,
            scopes: 'user:read:user',
            createdAt: clock.now(),
          })
        }
      })
      await decideApproval(ctx, admin, scheduler.id, 'withdrawn')
      await decideApproval(ctx, admin, scheduler.id, 'withdrawn')
      const rows = await ctx.db.read
        .selectFrom('grants')
        .select(['id', 'end_reason'])
        .orderBy('id')
        .execute()
      expect(rows).toEqual([
        { id: 'ends', end_reason: 'withdrawn' },
        { id: 'other-account', end_reason: null },
        { id: 'other-app', end_reason: null },
      ])
      expect(await state(scheduler.id)).toBe('withdrawn')
      await requestApproval(ctx, member, scheduler.id)
      expect((await listApprovals(ctx, admin, { limit: 9 })).items).toMatchObject([
        {
          appName: 'Scheduler',
          developerName: 'Acme',
          state: 'requested',
          requestedByEmail: 'member@careful.test',
        },
      ])
    })

    test('may be declared by the operator', async () => {
      const { id } = appOf(applied, 'Pocket')
      const accounts = [{ name: 'Careful', approvedApps: ['Pocket'] }]
      await declare({ ctx }, { accounts })
      await declare({ ctx }, { accounts })
      expect(await state(id)).toBe('approved')
      expect(accountOf(applied, 'Careful').id).toBe(member.accountId)
    })
  })

  test('what tests declare is what the form says', () => {
    expect(applied.apps.map(({ name }) => name)).toEqual(testAccounts.apps.map(({ name }) => name))
  })
})
