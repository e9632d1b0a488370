import { playSybils, type SybilScenario } from '../../attacks/ranking/sybil-votes.ts'
import { parted } from '../../support/words.ts'
import { printTable } from '../table.ts'

const many = { sybils: 1000, networks: 20, honestDays: 180 }

const scenarios: readonly (readonly [string, SybilScenario])[] = [
  ['1,000 new ones', { ...many, waitDays: 0 }],
  ['1,000 that waited 30 days', { ...many, waitDays: 30 }],
  ['1,000 that waited 90 days', { ...many, waitDays: 90 }],
  ['1,000 as old as the honest ones, 180 days', { ...many, waitDays: 180 }],
  ['1,000 as old as the honest ones, 30 days', { ...many, waitDays: 30, honestDays: 30 }],
  ['20, one of each network, 30 days', { ...many, sybils: 20, waitDays: 30 }],
  ['20, one of each network, 180 days', { ...many, sybils: 20, waitDays: 180 }],
]

/**
 * An attacker's agents of 20 networks against ten honest ones of ten: they vote for a skill of the
 * attacker's, against the one that the honest agents found helpful, and against one nobody has judged.
 */
export async function benchSybils(): Promise<void> {
  const rows: string[][] = []
  for (const [name, scenario] of scenarios) {
    const { orderKept, promoted, victim, unjudged, plainTrust } = await playSybils(scenario)
    const number = (value: number) => value.toFixed(3)
    const change = (from: number, to: number) => `${number(from)} → ${number(to)}`
    rows.push([
      name,
      orderKept ? 'kept' : 'lost',
      number(promoted.after.trust),
      number(plainTrust.promoted),
      change(victim.before.trust, victim.after.trust),
      number(plainTrust.victim),
      change(victim.before.confidence, victim.after.confidence),
      change(unjudged.before.confidence, unjudged.after.confidence),
    ])
  }
  printTable(
    'Votes of sybils from 20 networks against those of 10 honest agents',
    parted(
      'sybils¦honest order¦trust of theirs¦if a vote were one¦trust of the victim',
      'if a vote were one¦its confidence¦confidence of an unjudged one',
    ),
    rows,
  )
}
