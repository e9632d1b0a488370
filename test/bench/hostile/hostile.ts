import { printTable } from '../table.ts'
import { ANSWERED, attackCatalogues } from './catalogues.ts'

/** `npm run bench -- hostile`: what strangers gain by hostile skills and copies. */
export async function benchHostile(): Promise<void> {
  const { attacks, honest } = await attackCatalogues({
    tasks: 364,
    sizes: [20, 300, 11_970],
    read: Number.POSITIVE_INFINITY,
  })
  const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`
  printTable(
    `Hostile skills against development tasks; "answered" is first with ${ANSWERED} or more`,
    ['skills', 'attack', 'tasks', 'first', 'answered', 'confidence', 'most'],
    attacks.map(({ size, attack, tasks, ...each }) => [
      ...[size, attack, tasks, percent(each.first, tasks), percent(each.answered, tasks)],
      ...[each.meanConfidence.toFixed(3), each.mostConfidence.toFixed(3)],
    ]),
  )
  printTable(
    'The same tasks in the same catalogues without an attacker',
    ['skills', 'tasks', 'nDCG@10', 'H@1'],
    honest.map(({ size, tasks, ndcg, first }) => [
      ...[size, tasks, ndcg.toFixed(3), first.toFixed(3)],
    ]),
  )
}
