import type { Catalogue } from './catalogue.ts'

/** Whose private skills somebody may read. */
export interface Reader {
  /** Ids of agents and organizations. */
  readonly owners: readonly string[]
  /** The only repository whose private skills it may read. All if undefined. */
  readonly repositoryId?: string | undefined
}

/** Returns the catalogue as a reader sees it. It is the same object if that is what all see. */
export const seenBy = (catalogue: Catalogue, _reader: Reader): Catalogue => catalogue
