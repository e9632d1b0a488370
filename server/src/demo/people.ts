import { type Applied, applyDeclaration } from '../apply/apply.ts'
import type { AppContext } from '../context.ts'
import { countAccounts } from '../platform/store/accounts.ts'
import { randomBase62 } from '../secrets/secrets.ts'

const callback = 'http://127.0.0.1:8090/callback'
const emails = ['owner@acme.test', 'admin@acme.test', 'user@acme.test']

/**
 * Makes an account with people and an app of each kind, unless there are accounts. Gives their
 * credentials, to be printed.
 */
export async function createDemoPeople(
  ctx: Pick<AppContext, 'clock' | 'config' | 'db' | 'encryption' | 'random'>,
): Promise<string> {
  if ((await countAccounts(ctx.db.read)) > 0) return ''
  const password = randomBase62(ctx.random, 12)
  return instructions(await applyDeclaration(ctx, declaration(password)), password)
}

const declaration = (password: string) => ({
  accounts: [
    {
      name: 'Acme',
      users: [
        { email: emails[0], password, role: 'owner', firstName: 'Olga', lastName: 'Owner' },
        { email: emails[1], password, role: 'admin', firstName: 'Adam', lastName: 'Admin' },
        { email: emails[2], password, role: 'member', firstName: 'Uma', lastName: 'User' },
      ],
    },
  ],
  apps: [
    {
      name: 'Scheduler',
      account: 'Acme',
      type: 'general',
      visibility: 'public',
      scopes: ['user:read:user', 'meeting:read:list_meetings'],
      optionalScopes: ['meeting:write:meeting'],
      redirectUris: [callback],
      deviceFlow: true,
    },
    {
      name: 'Reporter',
      account: 'Acme',
      type: 'server-to-server',
      scopes: [
        'user:read:user:admin',
        'meeting:read:list_meetings:admin',
        'meeting:write:meeting:admin',
      ],
    },
    { name: 'Helper bot', account: 'Acme', type: 'chatbot' },
  ],
})

/** What the README's commands take, as lines for a shell. */
function instructions({ accounts, apps }: Applied, password: string): string {
  const credentials = (name: string) => {
    const client = apps.find((app) => app.name === name)?.production
    return `${client?.clientId}:${client?.clientSecret}`
  }
  return `
  export ACCOUNT_ID=${accounts[0]?.id}
  export SCHEDULER=${credentials('Scheduler')}
  export REPORTER=${credentials('Reporter')}
  export HELPER_BOT=${credentials('Helper bot')}
Sign in as ${emails.join(', ')}; the password of each is ${password}`
}
