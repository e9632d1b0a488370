import type { ReadSkill, SkillIndex, SkillText } from '../../search/index.ts'
import type { Savable } from '../../snapshot/saved.ts'
import type { Sample } from '../copies/passages.ts'
import type { Verdict } from '../lint/judge.ts'
import type { RepositoryRecord } from '../store/repositories.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import type { Wanted } from './finder.ts'

/**
 * The skills in memory: a record per skill, their addresses, orders and the ranking index. Search,
 * resolve and the look-up of addresses read from here and ask no database. It holds what has been
 * committed and nothing else: operations apply a change after its commit and before they answer, and
 * `change-feed.ts` brings what other processes wrote.
 *
 * There may be a million, so a skill is no object: it is a slot, a small number under which columns
 * have its numbers and its text. Records are put together when they are asked for.
 */
export interface Catalogue extends Savable {
  readonly index: SkillIndex
  readonly size: number
  /** Readers so far, of all skills together. */
  readonly fetchCount: number
  get(id: string): SkillRecord | undefined
  /** The skill at an address, compared without case. */
  at(owner: string, repo: string, slug: string): SkillRecord | undefined
  /** The skill of a slot, as the index names it. */
  atSlot(slot: number): SkillRecord | undefined
  /** Whether the verdict of a slot's skill is no graver than this one. */
  isAtMost(slot: number, verdict: Verdict): boolean
  /** The slot of a skill's id. */
  slotOf(id: string): number | undefined
  /** The skills that this one is a near-copy of, the most copied first; none for one that is no copy. */
  originalsOf(slot: number): readonly number[]
  /** The first of the skills that the one with this id is a near-copy of. */
  originalOf(id: string): SkillRecord | undefined
  /** The skills that had these passages first, one for each passage that some skill has. */
  firstWith(passages: ArrayLike<number>): SkillRecord[]
  /** A page of the skills that pass the filter and match `q`, and how many do. */
  find(wanted: Wanted, start: number, end: number): { skills: SkillRecord[]; total: number }
  /** Sorts the skills, if they are not. The first page asked for does it else, and waits for it. */
  sort(): void
  /** Revision up to which other processes' changes are known. */
  revision: number
  /**
   * Takes a new state in; one older than the known is ignored. `readme` is needed if the text changed:
   * without it a state of another text is ignored too, for it comes once more by way of `change-feed.ts`.
   */
  put(skill: SkillRecord, readme?: string | ReadReadme): void
  /** `put` in steps, between which requests have their turn. */
  admit(skill: SkillRecord, readme: string, sample?: Sample): Promise<void>
  /** The sample of a readme, for `admit`; taken in a step as well. */
  sample(readme: string): Promise<Sample>
  /** How many distinct words a text would bring into the vocabulary; counted in steps as well. */
  countNewWords(text: SkillText): Promise<number>
  /** Takes a repository's numbers as of a revision in, for all its skills; older ones are ignored. */
  putRepository(repository: RepositoryRecord, revision: number): void
  /**
   * Takes a skill out that left the registry at a revision: deleted or hidden. A later state brings it
   * back; without a revision none does.
   */
  remove(id: string, revision?: number): void
}

/** A readme that was read already. */
export interface ReadReadme {
  readonly read: ReadSkill | SkillText
  readonly sample: Sample
}
