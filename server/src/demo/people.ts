import { type Applied, applyDeclaration } from '../apply/apply.ts'
import type { AppContext } from '../context.ts'
import { countAccounts } from '../platform/store/accounts.ts'
import { randomBase62 } from '../secrets/secrets.ts'

const callback = 'http://127.0.0.1:8090/callback'
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const emails = ['owner@acme.test', 'admin@acme.test', 'user@acme.test']

/**
 * Makes an account with people and an app of each kind, unless there are accounts. Gives what to
 * try, credentials included.
 */
export async function createDemoPeople(
  ctx: Pick<AppContext, 'clock' | 'config' | 'db' | 'encryption' | 'random'>,
): Promise<string> {
  if ((await countAccounts(ctx.db.read)) > 0) return ''
  const password = randomBase62(ctx.random, 12)
  return instructions(ctx, await applyDeclaration(ctx, declaration(password)), password)
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

function instructions(
  { config }: Pick<AppContext, 'config'>,
  { accounts, apps }: Applied,
  password: string,
): string {
  const { authUrl, apiUrl } = config
  const [scheduler, reporter, helperBot] = apps.map(({ production }) => production)
  const credentials = (client: typeof scheduler) => `${client?.clientId}:${client?.clientSecret}`
  const bearer = 'curl -H "Authorization: Bearer $ACCESS_TOKEN"'
  const json = `-H 'Content-Type: application/json'`
  const meeting = '{"topic":"Planning","start_time":"2030-01-01T10:00:00Z"}'
  const message =
    '{"robot_jid":"helper@acme","to_jid":"user@acme","content":{"head":{"text":"Hi"}}}'
  const token = (variable: string, parameters: string) =>
    `  curl -u $${variable} ${authUrl}/oauth/token -d grant_type=${parameters}`
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: scheduler?.clientId ?? '',
    redirect_uri: callback,
    state: 'demo',
  })
  return `
There is an account, Acme, with ${emails.join(', ')} (password ${password}) and three apps.
Paste these lines into the shell that is to run the commands below:
  ACCOUNT_ID=${accounts[0]?.id}
  SCHEDULER=${credentials(scheduler)}
  REPORTER=${credentials(reporter)}
  HELPER_BOT=${credentials(helperBot)}
Reporter, server-to-server, gets tokens for the account:
${token('REPORTER', 'account_credentials -d account_id=$ACCOUNT_ID')}
Set ACCESS_TOKEN to the access_token of the answer:
  ${bearer} ${apiUrl}/v2/users/me
  ${bearer} ${apiUrl}/v2/users/me/meetings ${json} \\
    -d '${meeting}'
Scheduler asks a user: open this, sign in, allow, and take CODE from the address it ends at:
  ${authUrl}/oauth/authorize?${query}
${token('SCHEDULER', `authorization_code -d redirect_uri=${callback} -d code=$CODE`)}
The same on a device without a browser: ask for codes, enter user_code at ${authUrl}/oauth_device,
allow, and poll with DEVICE_CODE, the device_code of the answer:
  curl -X POST -u $SCHEDULER ${authUrl}/oauth/devicecode
${token('SCHEDULER', `${deviceGrant} -d device_code=$DEVICE_CODE`)}
Helper bot, a chatbot, and with its token a message:
${token('HELPER_BOT', 'client_credentials')}
  ${bearer} ${apiUrl}/v2/im/chat/messages ${json} \\
    -d '${message}'
Signed in, people see what they have allowed at ${authUrl}/my/apps, and make apps of their own at
${authUrl}/console
`
}
