import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { applyDeclaration, type DeclarationInput } from '../apply/apply.ts'
export type Seed = DeclarationInput
export interface Seeded {
  accounts: Record<string, { id: string }>
  users: Record<string, { id: string }>
  apps: Record<
    string,
    { id: string; clientId: string; clientSecret: string; development: { clientId: string } }
  >
  agents: Record<string, { id: string; apiKey: string }>
  tokens: Record<string, { accessToken: string }>
}
export const noSeed: Seeded = { accounts: {}, users: {}, apps: {}, agents: {}, tokens: {} }
export async function applySeed(ctx: RegistryContext, seed: Seed): Promise<Seeded> {
  const a = await applyDeclaration(ctx, seed)
  return {
    accounts: {},
    users: Object.fromEntries(a.accounts.flatMap((x) => x.users).map((u) => [u.email, u])),
    apps: Object.fromEntries(
      a.apps.map((x) => [
        x.name,
        {
          id: x.id,
          clientId: x.production.clientId,
          clientSecret: x.production.clientSecret ?? '',
          development: x.development,
        },
      ]),
    ),
    agents: {},
    tokens: {},
  }
}
