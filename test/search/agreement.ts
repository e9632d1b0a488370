import { createNamedIndex, type NamedSkill } from './named-index.ts'

/** An index, and one of the same skills that reads every skill because none is in a segment. */
export function prunedAndExact(skills: readonly NamedSkill[]) {
  const [pruned, exact] = [createNamedIndex(), createNamedIndex()]
  exact.beginLoad()
  for (const skill of skills) {
    pruned.put(skill)
    exact.put(skill)
  }
  return { pruned, exact }
}

/** The share of the ten best skills of the exact index that are among the ten best of the other. */
export function agreement(
  { pruned, exact }: ReturnType<typeof prunedAndExact>,
  tasks: readonly string[],
): number {
  const options = { limit: 10, threshold: Number.MIN_VALUE }
  let shared = 0
  let all = 0
  for (const task of tasks) {
    const best = pruned.resolve(task, options).hits.map(({ id }) => id)
    const wanted = exact.resolve(task, options).hits
    all += wanted.length
    shared += wanted.filter(({ id }) => best.includes(id)).length
  }
  return shared / all
}
