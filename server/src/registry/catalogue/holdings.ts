import { type Addresses, createAddresses } from './addresses.ts'
import { createSkillColumns, type SkillColumns } from './columns.ts'
import { createIds, type Ids } from './ids.ts'
import { createMemberships, type Memberships } from './memberships.ts'
import { createOrders, type Orders } from './orders.ts'
import { createOwners, type Owners } from './owners.ts'
import { createRepositories, type Repositories } from './repositories.ts'

/** What the catalogue holds of the skills besides their text. */
export interface Holdings {
  readonly columns: SkillColumns
  readonly ids: Ids
  readonly addresses: Addresses
  readonly memberships: Memberships
  readonly orders: Orders
  readonly owners: Owners
  readonly repositories: Repositories
}

export function createHoldings(): Holdings {
  const columns = createSkillColumns()
  const ids = createIds()
  return {
    columns,
    ids,
    addresses: createAddresses(columns.address),
    memberships: createMemberships(),
    orders: createOrders(columns, ids),
    owners: createOwners(),
    repositories: createRepositories(),
  }
}
