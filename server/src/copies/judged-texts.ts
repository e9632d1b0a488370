import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import * as store from '../store/registry/judged-texts.ts'
import { passageKey } from '../store/registry/passage-key.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { findVersion } from '../store/registry/versions.ts'
import { digestOf } from '../text/digest.ts'
import {
  type Contents,
  comparer,
  type Fingerprint,
  fingerprintOf,
  isSample,
  isTooShort,
  judgedText,
  lettersDigest,
  type Shared,
} from './fingerprint.ts'

/** Maximum number of own judged texts, newest first, that are compared with a new text. */
const maxOwnTexts = 200

/** Minimum shares of the same text: for sampled texts, and for texts too short to sample. */
const minSameShare = 0.6
const minSameShareIfShort = 0.8

/** A judged text that shares passages with another text. */
export interface JudgedMatch {
  readonly text: store.KnownText
  readonly shared: Shared
  readonly isSame: boolean
  /** Whether a text of the version, such as a file, contains the judged text. */
  readonly isContained: boolean
  /** Whether the texts differ at most in punctuation. */
  readonly isExact: boolean
}

/** What finds the skills that had passages first. */
interface Holders {
  firstWith?(passages: ArrayLike<number>): readonly SkillRecord[]
}

/**
 * Finds judged texts that match an agent's text: texts of the agent's skills, and those of other
 * publishers that `contents` has. `catalogue` excludes texts that a third publisher had first.
 */
export async function findJudgedMatches(
  db: Db,
  agentId: string,
  compared: { readme: string; description: string },
  { contents, catalogue }: { contents?: Contents; catalogue?: Holders } = {},
): Promise<JudgedMatch[]> {
  const text = judgedText(compared)
  const digests = digestsOf(text)
  const known = [...(isTooShort(text) ? [] : digests), ...(contents?.digests ?? [])]
  const [ownTexts, similar] = await Promise.all([
    store.listTextsOfAgent(db, { agentId, limit: maxOwnTexts }),
    store.listTextsLike(db, known, contents?.lookup() ?? []),
  ])
  const isKnown = ({ skillId, version }: store.JudgedText) =>
    ownTexts.some((own) => own.skillId === skillId && own.version === version)
  const others = similar.filter((each) =>
    each.agentId === agentId ? !isKnown(each) : contents !== undefined,
  )
  const all = [...ownTexts, ...others]
  if (all.length === 0) return []
  const sharedWith = comparer(text, await passageKey(db))
  const matching: JudgedMatch[] = []
  for (const known of all) {
    const isExact = digests.includes(known.digest)
    const shared = isExact ? everything : sharedWith(known.passages)
    const match = {
      text: known,
      shared,
      isExact,
      isSame: isExact || isSame(known.passages, shared),
      isContained: isSample(known.passages)
        ? (contents?.shareOf(known.passages) ?? 0) >= minSameShare
        : contents?.digests.includes(known.digest) === true,
    }
    const isAlike = match.isSame || match.isContained
    if (known.agentId === agentId || (isAlike && !(await isOthers(known)))) matching.push(match)
  }
  return matching

  /** Returns whether the agent, or a third publisher who is not judged, had the text first. */
  async function isOthers(known: store.KnownText): Promise<boolean> {
    if (await store.hadReadme(db, agentId, digestOf(text), known.createdAt)) return true
    if (!catalogue?.firstWith || !isSample(known.passages)) return false
    const firsts = new Set(catalogue.firstWith(known.passages))
    for (const { id, version, owner, createdAt } of firsts) {
      if (owner.id === known.agentId || createdAt >= known.createdAt) continue
      if (await hasText(db, { id, version }, known)) return true
    }
    return false
  }
}

/** Returns the digests that identify a text: of its letters if it is short, and of its bytes. */
function digestsOf(text: string): [string, ...string[]] {
  const letters = lettersDigest(text)
  return letters === undefined ? [digestOf(text)] : [letters, digestOf(text)]
}

const everything: Shared = { ofKnown: 1, ofText: 1 }

const isSame = (print: Fingerprint, { ofKnown, ofText }: Shared): boolean =>
  isSample(print) ? ofKnown >= minSameShare : Math.min(ofKnown, ofText) >= minSameShareIfShort

/**
 * Throws CONFLICT for a text that the operator has removed or hidden. The message includes the
 * reason if the text was the caller's own. A skill that had the text before may keep it.
 */
export async function refuseRemoved(
  db: Db,
  known: readonly JudgedMatch[],
  agentId: string,
  skill?: Pick<SkillRecord, 'id' | 'version'>,
): Promise<void> {
  for (const match of known) {
    if (!(await isRefused(db, match, skill))) continue
    const { text } = match
    const done = text.deletedAt === null ? 'hidden' : 'removed'
    const why = text.agentId === agentId ? `: ${text.stateReason}` : '.'
    fail('CONFLICT', `The operator has ${done} a skill with this text${why}`)
  }
}

/** Returns whether a match forbids a text, unless a skill had the text before. */
export const isRefused = async (
  db: Db,
  { text, isSame, isContained }: JudgedMatch,
  skill?: Pick<SkillRecord, 'id' | 'version'>,
): Promise<boolean> =>
  (isSame || isContained) &&
  isTakenDown(text) &&
  !(skill && (text.skillId === skill.id || (await hasText(db, skill, text))))

/** Returns whether the skill of a judged text is hidden or was removed by the operator. */
const isTakenDown = ({ state }: store.KnownText): boolean => state === 'hidden'

/** Returns whether a version of a skill has a judged text. */
async function hasText(
  db: Db,
  { id, version }: Pick<SkillRecord, 'id' | 'version'>,
  text: store.KnownText,
): Promise<boolean> {
  const found = await findVersion(db, id, { version })
  if (!found) return false
  const words = judgedText(found)
  if (digestsOf(words).includes(text.digest)) return true
  return isSame(text.passages, comparer(words, await passageKey(db))(text.passages))
}

/**
 * Records a skill's judged texts: those of versions with judgements, and of the versions in
 * `others`. Returns all judged texts of the skill.
 */
export async function recordJudgedTexts(
  { clock }: OperatorContext,
  trx: Db,
  { id: skillId, owner }: Pick<SkillRecord, 'id' | 'owner'>,
  others: readonly number[] = [],
): Promise<store.JudgedText[]> {
  const texts = await store.listJudgedTexts(trx, skillId)
  const versions = new Set([...(await store.listJudgedVersions(trx, skillId)), ...others])
  for (const { version } of texts) versions.delete(version)
  const by = { agentId: owner.id, judgedAt: clock.now() }
  for (const version of versions) {
    texts.push(...(await recordVersion(trx, { skillId, version, ...by })))
  }
  return texts
}

/** Reads and stores the text of a version. Returns nothing if the version was purged. */
async function recordVersion(
  trx: Db,
  { skillId, version, ...by }: Omit<store.RecordedText, 'digest' | 'passages'>,
): Promise<store.JudgedText[]> {
  const found = await findVersion(trx, skillId, { version })
  if (!found) return []
  const words = judgedText(found)
  const passages = fingerprintOf(words, await passageKey(trx))
  const text = { skillId, version, ...by, digest: digestsOf(words)[0], passages }
  await storeJudgedText(trx, text)
  return [text]
}

/** Reads judged texts again that an older reading has read. */
export async function rereadJudgedTexts({ db }: OperatorContext, signal: AbortSignal) {
  for (const version of await store.listOutdatedTexts(db.read)) {
    if (signal.aborted) return
    await db.write((trx) => recordVersion(trx, version))
  }
}

/** Records the text of a new version if the operator has decided on its skill. */
export async function recordIfDecided(ctx: OperatorContext, trx: Db, skill: SkillRecord) {
  if (skill.state === 'visible' && skill.copyClaim?.by !== 'operator') return
  await recordJudgedTexts(ctx, trx, skill, [skill.version])
}

export const storeJudgedText = (trx: Db, text: store.RecordedText): Promise<void> =>
  store.upsertJudgedText(trx, text, isSample(text.passages) ? text.passages : [])
