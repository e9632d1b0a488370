import {
  type Applied,
  applyDeclaration,
  type DeclarationInput,
} from '@skillpass/server/apply/apply'
import type { AppContext } from '@skillpass/server/context'

/** The password of every declared user. */
export const password = 'correct horse battery'

const user = (email: string, role: 'owner' | 'admin' | 'member') => ({
  email,
  password,
  role,
  firstName: email.split('@')[0] ?? '',
  lastName: 'Tester',
})

/** Where the declared apps have users sent back to. */
export const callback = 'http://127.0.0.1:8090/callback'

/**
 * Acme with an owner, an admin and a member, and an app of every kind; Careful, which approves apps
 * before its users may allow them; and Other, which has nothing to do with either.
 */
export const acme = {
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
      name: 'Pocket',
      account: 'Acme',
      type: 'general',
      visibility: 'public',
      scopes: ['user:read:user'],
      redirectUris: [callback, 'com.example.pocket:/callback'],
      deviceFlow: true,
      publicClient: true,
    },
    {
      name: 'Strict',
      account: 'Acme',
      type: 'general',
      visibility: 'public',
      scopes: ['user:read:user'],
      redirectUris: [callback],
      requireS256: true,
    },
    {
      name: 'Directory',
      account: 'Acme',
      type: 'general',
      level: 'account',
      visibility: 'public',
      scopes: ['user:read:user:admin', 'user:read:list_users:admin'],
      redirectUris: [callback],
    },
    {
      name: 'Franchise',
      account: 'Acme',
      type: 'general',
      level: 'account',
      visibility: 'public',
      scopes: ['user:read:user:master'],
      redirectUris: [callback],
    },
    {
      name: 'Legacy',
      account: 'Acme',
      type: 'general',
      visibility: 'public',
      scopes: ['user:read', 'meeting:write'],
      redirectUris: [callback],
    },
    {
      name: 'Private',
      account: 'Acme',
      type: 'general',
      scopes: ['user:read:user'],
      redirectUris: [callback],
    },
    {
      name: 'Off',
      account: 'Acme',
      type: 'general',
      visibility: 'public',
      scopes: ['user:read:user'],
      redirectUris: [callback],
      deviceFlow: true,
      disabled: true,
    },
    {
      name: 'Reporter',
      account: 'Acme',
      type: 'server-to-server',
      scopes: ['user:read:user:admin', 'meeting:read:list_meetings:admin'],
    },
    {
      name: 'Stranger',
      account: 'Other',
      type: 'general',
      visibility: 'public',
      scopes: ['user:read:user'],
      redirectUris: [callback],
      deviceFlow: true,
    },
    { name: 'Helper bot', account: 'Acme', type: 'chatbot' },
  ],
} as const satisfies ReadonlyDeep<DeclarationInput>

type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T

type Applying = Pick<AppContext, 'clock' | 'config' | 'db' | 'encryption' | 'random'>

/** Makes in a test's database what a declaration says; `acme` is one that is ready. */
export const declare = (
  { ctx }: { readonly ctx: Applying },
  declaration: ReadonlyDeep<DeclarationInput> = acme,
): Promise<Applied> => applyDeclaration(ctx, declaration)

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
