import { chatbotScope } from '@skillpass/contract'
import { fail } from '../../errors/failure.ts'
import { readResource } from '../resources.ts'
import { narrowScopes } from '../scopes.ts'
import { issueOwnToken } from '../tokens.ts'
import type { Grant } from './grant.ts'

/** Client authorization: a chatbot sends messages as itself (spec/oauth.md#grants). */
export const clientCredentials: Grant<'client_credentials'> = {
  grantType: 'client_credentials',
  async run(ctx, client, { scope, resource }) {
    const { app, clientId } = client
    if (app.type !== 'chatbot') {
      fail('unauthorized_client', 'Only chatbots may use client_credentials.')
    }
    const scopes = narrowScopes(scope, [chatbotScope]).join(' ')
    const { accountId } = app
    const bound = readResource(ctx, resource)
    return issueOwnToken(ctx, { clientId, accountId, scopes, resource: bound })
  },
}
