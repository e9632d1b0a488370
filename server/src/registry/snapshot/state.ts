import type { Catalogue } from '../catalogue.ts'
import { type Savable, together } from './saved.ts'

/** What a snapshot keeps of a catalogue: the index first, for the catalogue looks its skills up there. */
export const stateOf = (catalogue: Catalogue): Savable =>
  together({ index: catalogue.index, catalogue })
