import { type ByteStrings, createByteStrings } from '../columns/byte-strings.ts'
import { createSkillColumns, type SkillColumns } from '../columns/columns.ts'
import { createIds, type Ids } from '../columns/ids.ts'
import { type Copies, createCopies } from '../copies/copies.ts'
import { type Addresses, createAddresses } from './addresses.ts'
import { createOrders, type Orders } from './orders.ts'
import { createOwners, type Owners } from './owners.ts'
import { createPostings, type Postings } from './postings.ts'
import { createRepositories, type Repositories } from './repositories.ts'
import { createVerdicts, type Verdicts } from './verdicts.ts'

/** What the catalogue holds of the skills. */
export interface CatalogueState {
  readonly columns: SkillColumns
  /** The texts of the records (stored-documents.ts). */
  readonly texts: ByteStrings
  readonly ids: Ids
  readonly addresses: Addresses
  readonly postings: Postings
  readonly orders: Orders
  readonly owners: Owners
  readonly repositories: Repositories
  readonly verdicts: Verdicts
  readonly copies: Copies
}

export function createState(): CatalogueState {
  const columns = createSkillColumns()
  const ids = createIds()
  const repositories = createRepositories()
  return {
    columns,
    texts: createByteStrings(),
    ids,
    addresses: createAddresses(columns.address),
    postings: createPostings(),
    orders: createOrders(columns, ids),
    owners: createOwners(),
    repositories,
    verdicts: createVerdicts(columns.verdict, columns.answer),
    copies: createCopies((id) => ids.find(id)),
  }
}
