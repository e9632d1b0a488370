import type { Context } from '../context/context.ts'
import type { Db } from '../db/open.ts'
import type { Catalogue } from '../discovery/catalogue.ts'
import { digestOf } from '../discovery/readmes.ts'
import { fail } from '../errors/failure.ts'
import { findRelease } from '../skills/store/files.ts'
import { passageKey } from '../skills/store/revision.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import type { ReadSample } from '../trust/copies/passages.ts'
import {
  type Fingerprint,
  fingerprintOf,
  isSample,
  isTooShort,
  judgedText,
  lettersDigest,
  type Shared,
  sharesOf,
} from './fingerprint.ts'
import * as store from './store/judged-texts.ts'

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
  /** Whether the texts differ at most in punctuation. */
  readonly isExact: boolean
}

interface ComparedText {
  readonly readme: string
  readonly description: string
  /** Passage sample, required for a comparison with other publishers' texts. */
  readonly read?: ReadSample
}

/**
 * Finds judged texts that match an agent's text: texts of the agent's skills, and the same texts of
 * other publishers. `catalogue` excludes texts that a third publisher had first. Without it, only
 * the agent's texts are compared.
 */
export async function findJudgedMatches(
  db: Db,
  agentId: string,
  compared: ComparedText,
  catalogue?: Pick<Catalogue, 'firstWith'>,
): Promise<JudgedMatch[]> {
  const text = judgedText(compared)
  const digests = digestsOf(text)
  const [ownTexts, similar] = await Promise.all([
    store.listTextsOfAgent(db, { agentId, limit: maxOwnTexts }),
    store.listTextsLike(db, isTooShort(text) ? [] : digests, compared.read?.lookup ?? []),
  ])
  const isKnown = ({ skillId, version }: store.JudgedText) =>
    ownTexts.some((own) => own.skillId === skillId && own.version === version)
  const others = similar.filter((each) =>
    each.agentId === agentId ? !isKnown(each) : catalogue !== undefined,
  )
  const all = [...ownTexts, ...others]
  if (all.length === 0) return []
  const prints = all.map(({ passages }) => passages)
  const shares = sharesOf(text, prints, await passageKey(db))
  const matching: JudgedMatch[] = []
  for (const [i, known] of all.entries()) {
    const isExact = digests.includes(known.digest)
    const shared = isExact ? everything : (shares[i] ?? nothing)
    const match = {
      text: known,
      shared,
      isExact,
      isSame: isExact || isSame(known.passages, shared),
    }
    if (known.agentId === agentId || (match.isSame && !(await isOthers(known))))
      matching.push(match)
  }
  return matching

  /** Returns whether the agent, or a third publisher who is not judged, had the text first. */
  async function isOthers(known: store.KnownText): Promise<boolean> {
    if (await store.hadReadme(db, agentId, digestOf(text), known.createdAt)) return true
    const sample = compared.read?.sample.passages ?? []
    const firsts = (catalogue?.firstWith(sample) ?? []).filter(
      ({ owner }) => owner.id !== known.agentId,
    )
    if (digests.includes(known.digest))
      return firsts.some((skill) => digestOf(text) === skill.digest)
    return firsts.length >= minSameShare * sample.length
  }
}

/** Returns the digests that identify a text: of its letters if it is short, and of its bytes. */
function digestsOf(text: string): [string, ...string[]] {
  const letters = lettersDigest(text)
  return letters === undefined ? [digestOf(text)] : [letters, digestOf(text)]
}

const nothing: Shared = { ofKnown: 0, ofText: 0 }
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
  for (const { text, isSame: isAlike } of known) {
    if (!isAlike || !isTakenDown(text) || (skill && (await hadText(db, skill, text)))) continue
    const done = text.deletedAt === null ? 'hidden' : 'removed'
    const why = text.agentId === agentId ? `: ${text.stateReason}` : '.'
    fail('CONFLICT', `The operator has ${done} a skill with this text${why}`)
  }
}

/** Returns whether the skill of a judged text is hidden or was removed by the operator. */
export const isTakenDown = ({ state }: store.KnownText): boolean => state === 'hidden'

async function hadText(
  db: Db,
  { id, version }: Pick<SkillRecord, 'id' | 'version'>,
  text: store.KnownText,
): Promise<boolean> {
  if (text.skillId === id) return true
  const release = await findRelease(db, id, version)
  if (!release) return false
  const words = judgedText(release)
  const [shared = nothing] = sharesOf(words, [text.passages], await passageKey(db))
  return digestsOf(words).includes(text.digest) || isSame(text.passages, shared)
}

/**
 * Records a skill's judged texts: those of versions with judgements, and of the versions in
 * `others`. Returns all judged texts of the skill.
 */
export async function recordJudgedTexts(
  { clock }: Pick<Context, 'clock'>,
  trx: Db,
  { id: skillId, owner }: Pick<SkillRecord, 'id' | 'owner'>,
  others: readonly number[] = [],
): Promise<store.JudgedText[]> {
  const texts = await store.listJudgedTexts(trx, skillId)
  const versions = new Set([...(await store.listJudgedVersions(trx, skillId)), ...others])
  for (const { version } of texts) versions.delete(version)
  const key = versions.size === 0 ? 0 : await passageKey(trx)
  for (const version of versions) {
    const release = await findRelease(trx, skillId, version)
    if (!release) continue
    const words = judgedText(release)
    const [[digest], passages] = [digestsOf(words), fingerprintOf(words, key)]
    const text = { skillId, version, digest, passages }
    await insertJudgedText(trx, text, { agentId: owner.id, judgedAt: clock.now() })
    texts.push(text)
  }
  return texts
}

/** Records the text of a new version if the operator has decided on its skill. */
export async function recordIfDecided(ctx: Pick<Context, 'clock'>, trx: Db, skill: SkillRecord) {
  if (skill.state === 'visible' && skill.copyClaim?.by !== 'operator') return
  await recordJudgedTexts(ctx, trx, skill, [skill.version])
}

export const insertJudgedText = (
  trx: Db,
  text: store.JudgedText,
  by: { agentId: string; judgedAt: number },
): Promise<void> =>
  store.insertJudgedText(trx, { ...text, ...by }, isSample(text.passages) ? text.passages : [])
