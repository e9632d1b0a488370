import { parted } from '../../support/words.ts'
import { pinning } from '../processes.ts'
import { printTable } from '../table.ts'
import type { ServingFigures } from './serving.ts'

/** Prints what the server does at each size, and the ratio to a bare Express where it was measured. */
export function printServing(figures: readonly ServingFigures[]): void {
  printTable(
    `Resolve over HTTP, ms (server ${pinning}, closed loop of 1 and of 8 connections)`,
    ['skills', '1: p50', 'p99', 'a second', '8: p50', 'p99', 'a second', 'process kB a skill'],
    figures.map(({ skills, one, eight, memory }) => [
      skills,
      ...[one, eight].flatMap(({ p50, p99, perSecond }) => [p50, p99, Math.round(perSecond)]),
      memory / 1000 / skills,
    ]),
  )
  printTable(
    `Start and change (server ${pinning})`,
    parted(
      'skills¦start from database s¦skills/s¦from snapshot s¦published to found, ms p50¦longest',
      'asked beside 32 who publish, ms p50¦p99¦event loop held, ms',
    ),
    figures.map(({ skills, startFromDatabase, startFromSnapshot, ...publishing }) => [
      skills,
      startFromDatabase / 1000,
      Math.round((1000 * skills) / startFromDatabase),
      startFromSnapshot === undefined ? 'no snapshot' : startFromSnapshot / 1000,
      publishing.found.p50,
      publishing.found.longest,
      publishing.asked.p50,
      publishing.asked.p99,
      publishing.longestHold,
    ]),
  )
  const compared = figures.flatMap(({ skills, throughput }) =>
    Object.entries(throughput ?? {}).map(([kind, { ours, floor, ratio, p50, p99 }]) => [
      String(skills),
      ...[kind, ours, floor, ratio, p50, p99],
    ]),
  )
  if (compared.length === 0) return
  printTable(
    `Requests a second against a bare Express 5 that answers the same bytes (32 connections, each server ${pinning}, median of 3 rounds)`,
    ['skills', 'read', 'skillpass', 'bare express', 'ratio', 'p50 ms', 'p99 ms'],
    compared,
  )
}
