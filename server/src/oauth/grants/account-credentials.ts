import { scopeLevel } from '@skillpass/contract'
import { fail } from '../../errors/failure.ts'
import { findAccount } from '../../platform/store/accounts.ts'
import { readResource } from '../resources.ts'
import { narrowScopes } from '../scopes.ts'
import { issueOwnToken } from '../tokens.ts'
import type { Grant } from './grant.ts'

/** Account authorization: the app acts for its account (spec/oauth.md#grants). */
export const accountCredentials: Grant<'account_credentials'> = {
  grantType: 'account_credentials',
  async run(ctx, client, { account_id: accountId, scope, resource }) {
    const { app, clientId } = client
    if (app.type !== 'server-to-server') {
      fail('unauthorized_client', 'Only server-to-server apps may use account_credentials.')
    }
    const isOwn = accountId === app.accountId
    // On sub-accounts, a master account's app has only its master scopes.
    const available = isOwn ? client.scopes : client.scopes.filter(isMaster)
    if (!isOwn && (available.length === 0 || !(await isSubAccount()))) {
      fail('invalid_request', 'account_id must be the account of this app.')
    }
    const scopes = narrowScopes(scope, available).join(' ')
    const bound = readResource(ctx, resource)
    return issueOwnToken(ctx, { clientId, accountId, scopes, resource: bound })

    async function isSubAccount() {
      const account = await findAccount(ctx.db.read, accountId)
      return account?.masterAccountId === app.accountId
    }
  },
}

const isMaster = (scope: string) => scopeLevel(scope) === 'master'
