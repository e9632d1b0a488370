import type { AppContext } from '@skillpass/server/context'
import {
  type Applied,
  applyDeclaration,
  type DeclarationInput,
} from '@skillpass/server/operator/apply/apply'

/** The password of every declared user. */
export const password = 'correct horse battery'

/** A user, called by the first part of the email. */
export const user = (email: string, role: 'owner' | 'admin' | 'member') => ({
  email,
  password,
  role,
  firstName: email.split('@')[0] ?? '',
  lastName: 'Tester',
})

/** The redirect address of the declared apps. */
export const callback = 'http://127.0.0.1:8090/callback'

/** A general app, public unless `more` says otherwise. */
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

/** A server-to-server app. */
export const serverApp = (name: string, scopes: readonly string[], account = 'Acme') =>
  ({ name, account, type: 'server-to-server', scopes }) as const

/**
 * Acme with an owner, an admin and a member, and an app of every kind; Careful, whose admins approve
 * apps before users may allow them; and Other.
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
    generalApp('Stranger', ['user:read:user'], { account: 'Other', deviceFlow: true }),
    { name: 'Helper bot', account: 'Acme', type: 'chatbot' },
  ],
} as const satisfies Declared

type DeclaredApp = ReadonlyDeep<NonNullable<DeclarationInput['apps']>[number]>

/** Accounts, apps and agents to make. */
export type Declared = ReadonlyDeep<DeclarationInput>

type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T

type Applying = Pick<AppContext, 'clock' | 'config' | 'db' | 'encryption' | 'random'>

/** Applies a declaration to the database of a test, by default `testAccounts`. */
export const declare = (
  { ctx }: { readonly ctx: Applying },
  declaration: Declared = testAccounts,
): Promise<Applied> => applyDeclaration(ctx, declaration)

/** Makes a general app and returns its credentials and id. */
export async function makeApp(
  server: { readonly ctx: Applying },
  name: string,
  scopes: readonly string[],
  more?: Partial<DeclaredApp>,
) {
  const applied = await declare(server, { apps: [generalApp(name, scopes, more)] })
  return { ...credentialsOf(applied, name), id: appOf(applied, name).id }
}

/** The credentials that were made for an app. */
export function credentialsOf(
  applied: Applied,
  appName: string,
  environment: 'development' | 'production' = 'production',
): { clientId: string; clientSecret: string } {
  const { clientId, clientSecret } = appOf(applied, appName)[environment]
  if (clientSecret === undefined) throw new Error(`The secret of ${appName} was made before.`)
  return { clientId, clientSecret }
}

/** The app with this name. */
export const appOf = ({ apps }: Applied, name: string) =>
  found(
    apps.find((app) => app.name === name),
    name,
  )

/** The account with this name. */
export const accountOf = ({ accounts }: Applied, name: string) =>
  found(
    accounts.find((account) => account.name === name),
    name,
  )

/** The user with this email. */
export const userOf = ({ accounts }: Applied, email: string) =>
  found(
    accounts.flatMap(({ users }) => users).find((candidate) => candidate.email === email),
    email,
  )

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`${name} was not declared.`)
  return value
}
