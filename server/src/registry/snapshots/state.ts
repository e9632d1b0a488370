import { type Savable, together } from '../../snapshot/saved.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'

/** What a snapshot keeps of a catalogue: the index first, for the catalogue looks its skills up there. */
export const stateOf = (catalogue: Catalogue): Savable =>
  together({ index: catalogue.index, catalogue })
