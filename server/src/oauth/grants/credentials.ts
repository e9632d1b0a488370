import { chatbotScope, scopeLevel } from '@skillpass/contract'
import { fail } from '../../errors/failure.ts'
import type { Context } from '../../runtime/context.ts'
import type { OAuthClient } from '../../store/oauth/clients.ts'
import { findAccount } from '../../store/platform/accounts.ts'
import { readResource } from '../resources.ts'
import { narrowScopes } from '../scopes.ts'
import { issueOwnToken } from '../tokens.ts'
import type { GrantHandler, RequestOf } from './grant-handler.ts'

/** Account authorization: the app acts for its account (spec/oauth.md#grants). */
export const accountCredentials: GrantHandler<'account_credentials'> = {
  grantType: 'account_credentials',
  async run(ctx, client, request) {
    const { app, scopes } = client
    const { account_id: accountId } = request
    if (app.type !== 'server-to-server') {
      fail('unauthorized_client', 'Only server-to-server apps may use account_credentials.')
    }
    if (accountId === app.accountId) return issue(ctx, client, accountId, scopes, request)
    // On sub-accounts, a master account's app has only its master scopes.
    const available = scopes.filter((scope) => scopeLevel(scope) === 'master')
    const account = await findAccount(ctx.db.read, accountId)
    if (available.length === 0 || account?.masterAccountId !== app.accountId) {
      fail('invalid_request', 'account_id must be the account of this app.')
    }
    return issue(ctx, client, accountId, available, request)
  },
}

/** Client authorization: a chatbot sends messages as itself (spec/oauth.md#grants). */
export const clientCredentials: GrantHandler<'client_credentials'> = {
  grantType: 'client_credentials',
  async run(ctx, client, request) {
    const { type, accountId } = client.app
    if (type !== 'chatbot') fail('unauthorized_client', 'Only chatbots may use client_credentials.')
    return issue(ctx, client, accountId, [chatbotScope], request)
  },
}

function issue(
  ctx: Context,
  { clientId }: OAuthClient,
  accountId: string,
  available: readonly string[],
  { scope, resource }: RequestOf<'account_credentials' | 'client_credentials'>,
) {
  const scopes = narrowScopes(scope, available).join(' ')
  return issueOwnToken(ctx, { clientId, accountId, scopes, resource: readResource(ctx, resource) })
}
