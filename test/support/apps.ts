import type { Applied, DeclarationInput, RunningServer } from '@skillpass/server/testing'

/** The password of every declared user. */
export const password = 'correct horse battery'

/** A declared user, whose first name is the local part of the email. */
export const user = (email: string, role: 'owner' | 'admin' | 'member') => ({
  email,
  password,
  role,
  firstName: email.split('@')[0] ?? '',
  lastName: 'Tester',
})

/** The redirect address of the declared apps. */
export const callback = 'http://127.0.0.1:8090/callback'

/** Declares a general app. It is public unless `more` overrides it. */
export const generalApp = <const M extends Partial<DeclaredApp>>(
  name: string,
  scopes: readonly string[],
  more?: M,
) =>
  ({
    ...({ name, account: 'Acme', type: 'general', visibility: 'public', scopes } as const),
    redirectUris: [callback],
    ...more,
  }) as const

/** Declares a server-to-server app. */
export const serverApp = (name: string, scopes: readonly string[], account = 'Acme') =>
  ({ name, account, type: 'server-to-server', scopes }) as const

/**
 * Three accounts. Acme has an owner, an admin, a member and an app of each kind. Careful requires
 * an admin's approval of apps. Other is unrelated to both.
 */
export const testAccounts = {
  accounts: [
    {
      name: 'Acme',
      users: [
        user('owner@acme.test', 'owner'),
        user('admin@acme.test', 'admin'),
        user('member@acme.test', 'member'),
      ],
      subAccounts: [{ name: 'Acme West' }],
    },
    {
      name: 'Careful',
      requireAppApproval: true,
      users: [user('admin@careful.test', 'admin'), user('member@careful.test', 'member')],
    },
    { name: 'Other', users: [user('member@other.test', 'member')] },
  ],
  apps: [
    generalApp('Scheduler', ['user:read:user', 'meeting:read:list_meetings'], {
      optionalScopes: ['meeting:write:meeting'],
      deviceFlow: true,
    }),
    generalApp('Pocket', ['user:read:user'], {
      redirectUris: [callback, 'com.example.pocket:/callback'],
      deviceFlow: true,
      publicClient: true,
    }),
    generalApp('Strict', ['user:read:user'], { requireS256: true }),
    generalApp('Directory', ['user:read:user:admin', 'user:read:list_users:admin'], {
      level: 'account',
    }),
    generalApp('Franchise', ['user:read:user:master'], { level: 'account' }),
    generalApp('Legacy', ['user:read', 'meeting:write']),
    generalApp('Private', ['user:read:user'], { visibility: 'private' }),
    generalApp('Off', ['user:read:user'], { deviceFlow: true, disabled: true }),
    serverApp('Reporter', ['user:read:user:admin', 'meeting:read:list_meetings:admin']),
    serverApp('Manager', ['marketplace:read:app:admin', 'marketplace:write:app:admin']),
    serverApp('Remover', ['user:delete:user:admin']),
    serverApp('Approver', ['marketplace:write:app:admin'], 'Careful'),
    generalApp('Stranger', ['user:read:user'], { account: 'Other', deviceFlow: true }),
    { name: 'Helper bot', account: 'Acme', type: 'chatbot' },
  ],
} as const satisfies Declared

type DeclaredApp = ReadonlyDeep<NonNullable<DeclarationInput['apps']>[number]>

/** Accounts, apps and agents to create. */
export type Declared = ReadonlyDeep<DeclarationInput>

type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T

type Server = Pick<RunningServer, 'apply'>

/** Applies a declaration to the database of a test. The default is `testAccounts`. */
export const declare = (
  { apply }: Server,
  declaration: Declared = testAccounts,
): Promise<Applied> => apply(declaration)

/** Creates a user of an account, who signs in with `password`. Returns the user's id. */
export async function addUser(
  server: Server,
  email: string,
  { account = 'Acme', role = 'member' }: { account?: string; role?: 'admin' | 'member' } = {},
): Promise<string> {
  const users = [user(email, role)]
  return userOf(await declare(server, { accounts: [{ name: account, users }] }), email).id
}

/** Removes a user from an account. */
export const removeUser = (server: Server, email: string, account = 'Acme') =>
  declare(server, { accounts: [{ name: account, users: [{ email, removed: true }] }] })

/** Creates a general app. Returns its credentials and id. */
export async function makeApp(
  server: Server,
  name: string,
  scopes: readonly string[],
  more?: Partial<DeclaredApp>,
) {
  const applied = await declare(server, { apps: [generalApp(name, scopes, more)] })
  return { ...credentialsOf(applied, name), id: appOf(applied, name).id }
}

/** Returns the credentials of an app that was just created. */
export function credentialsOf(
  applied: Applied,
  appName: string,
  environment: 'development' | 'production' = 'production',
): { clientId: string; clientSecret: string } {
  const { clientId, clientSecret } = appOf(applied, appName)[environment]
  if (clientSecret === undefined)
    throw new Error(`${appName} existed before, so its secret is not known.`)
  return { clientId, clientSecret }
}

export const appOf = ({ apps }: Applied, name: string) =>
  found(
    apps.find((app) => app.name === name),
    name,
  )

export const accountOf = ({ accounts }: Applied, name: string) =>
  found(
    accounts.find((account) => account.name === name),
    name,
  )

export const userOf = ({ accounts }: Applied, email: string) =>
  found(
    accounts.flatMap(({ users }) => users).find((candidate) => candidate.email === email),
    email,
  )

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`${name} is not declared.`)
  return value
}
