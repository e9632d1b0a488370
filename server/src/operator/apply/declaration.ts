import {
  AgentRegistration,
  bounds,
  EmailAddress,
  label,
  Password,
  profileFields,
} from '@skillpass/contract'
import { z } from 'zod'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { firstIssues } from '../../errors/issues.ts'
import { emailKey } from '../../platform/store/user-record.ts'

/** Name of an account or an app. */
const name = label(bounds.appName)

/** Domain of emails that an account gives out; kept in lower case. */
const domain = label(bounds.email)
  .transform((text) => text.normalize('NFC').toLowerCase())
  .refine((text) => /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(text), 'must be a domain')

const UserDeclaration = z.strictObject({
  email: EmailAddress,
  /** A new user needs one; another one replaces that of a user who exists. */
  password: Password.optional(),
  role: z.enum(['owner', 'admin', 'member']).optional(),
  firstName: profileFields.first_name.trim().optional(),
  lastName: profileFields.last_name.trim().optional(),
  /** The user is to be gone. */
  removed: z.boolean().optional(),
})

const SubAccountDeclaration = z.strictObject({
  name,
  requireAppApproval: z.boolean().optional(),
  /** Domains whose emails are the account's to give out; in place of those of before. */
  domains: z.array(domain).optional(),
  /** Names of apps that the account allows. */
  approvedApps: z.array(name).default([]),
  users: z.array(UserDeclaration).default([]),
})

const AccountDeclaration = SubAccountDeclaration.extend({
  subAccounts: z.array(SubAccountDeclaration).default([]),
})

const clientFields = {
  scopes: z.array(z.string()).optional(),
  optionalScopes: z.array(z.string()).optional(),
  redirectUris: z.array(z.string()).optional(),
}

const ClientDeclaration = z.strictObject(clientFields)

const AppDeclaration = z.strictObject({
  name,
  /** Name of the account that develops it. */
  account: name,
  type: z.enum(['server-to-server', 'general', 'chatbot']).optional(),
  level: z.enum(['user', 'account']).optional(),
  visibility: z.enum(['public', 'private', 'development']).optional(),
  deviceFlow: z.boolean().optional(),
  publicClient: z.boolean().optional(),
  requireS256: z.boolean().optional(),
  deauthorizationUrl: z.string().nullable().optional(),
  disabled: z.boolean().optional(),
  /** For both sets of credentials, unless one of them says otherwise below. */
  ...clientFields,
  development: ClientDeclaration.optional(),
  production: ClientDeclaration.optional(),
})

const AgentDeclaration = AgentRegistration.strict().extend({
  /** Takes an agent that was registered by API as the operator's own: imports may give it skills. */
  operator: z.literal(true).optional(),
})

/**
 * What an operator may declare. What exists by name is brought to what the file says, and keys left
 * out leave it as it is.
 */
const Declaration = z
  .strictObject({
    accounts: z.array(AccountDeclaration).default([]),
    apps: z.array(AppDeclaration).default([]),
    agents: z.array(AgentDeclaration).default([]),
  })
  .superRefine((declaration, ctx) => {
    const seen = new Set<string>()
    for (const { path, key, name } of declaredNames(declaration)) {
      if (seen.has(key))
        ctx.addIssue({ code: 'custom', path, message: `${name} is declared twice` })
      seen.add(key)
    }
  })

/** A declaration as a file has it. */
export type DeclarationInput = z.input<typeof Declaration>
export type Declaration = z.output<typeof Declaration>
export type DeclaredUser = z.output<typeof UserDeclaration>
export type DeclaredAccount = z.output<typeof SubAccountDeclaration>
export type DeclaredApp = z.output<typeof AppDeclaration>

/** Where something stands in a declaration. */
export type Path = PropertyKey[]

/** What a declaration is made with, in one transaction. */
export type Applying = Pick<AppContext, 'clock' | 'config' | 'encryption' | 'random'> & {
  readonly trx: Db
  /** Notes that what stands at a place of the declaration cannot be made. */
  refuse(path: Path, message: string): undefined
}

/** The accounts of a declaration with their places and the name of the account above, which comes first. */
export const accountsOf = ({ accounts }: Pick<Declaration, 'accounts'>) =>
  accounts.flatMap((account, index) => {
    const path: Path = ['accounts', index]
    const top: DeclaredAccount = account
    return [
      { path, declared: top, master: undefined },
      ...account.subAccounts.map((declared, place) => {
        return { path: [...path, 'subAccounts', place], declared, master: account.name }
      }),
    ]
  })

/** Everything in a declaration that it may name once. */
const declaredNames = (declaration: Pick<Declaration, 'accounts' | 'apps'>) => [
  ...accountsOf(declaration).flatMap(({ path, declared: { name, users } }) => [
    { path: [...path, 'name'], key: `account ${name}`, name: `"${name}"` },
    ...users.map(({ email }, index) => {
      return {
        path: [...path, 'users', index, 'email'],
        key: `user ${emailKey(email)}`,
        name: email,
      }
    }),
  ]),
  ...declaration.apps.map(({ name, account }, index) => {
    const key = `app ${JSON.stringify([name, account])}`
    return { path: ['apps', index, 'name'], key, name: `"${name}" of "${account}"` }
  }),
]

/** Collects what is wrong, so that one run tells all of it; `check` throws if there was anything. */
export function createReport(): { refuse: Applying['refuse']; check(): void } {
  const lines = new Set<string>()
  return {
    refuse: (path, message) => void lines.add(`${placeOf(path)}: ${message}`),
    check() {
      if (lines.size > 0) throw new Error([...lines].join('\n'))
    },
  }
}

/** `apps[0].scopes[1]` */
function placeOf(path: readonly PropertyKey[]): string {
  const parts = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
  return parts.join('').replace(/^\./, '') || 'the declaration'
}

/** Checks the form; throws an error that names every place where it is wrong. */
export function parseDeclaration(input: unknown): Declaration {
  const parsed = Declaration.safeParse(input)
  if (parsed.success) return parsed.data
  const report = createReport()
  for (const { path, message } of firstIssues(parsed.error.issues, Number.POSITIVE_INFINITY))
    report.refuse(path, message)
  report.check()
  throw parsed.error
}
