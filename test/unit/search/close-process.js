import { createSkillIndex } from '@skillpass/server/search/index'

/**
 * Closes an index whose merge or ranking has just ended in another thread, as the first argument says,
 * with nothing else to keep the process alive, and prints that it did.
 */
const [thread] = process.argv.slice(2)
const index = createSkillIndex()
const skills = thread === 'merge' ? 256 : 3000
for (let slot = 0; slot < skills; slot++) {
  index.put(slot, {
    name: `Tool ${slot}`,
    slug: `tool-${slot}`,
    description: `Handles subject ${slot}`,
    tags: [],
    readme: `subject ${slot} and topic ${slot % 50}. `.repeat(50),
  })
}
if (thread === 'ranking') {
  await index.settled()
  let isRanked = false
  const onRanked = (by) => {
    isRanked ||= by === 'thread'
  }
  for (let i = 0; !isRanked; i++) {
    const asked = Array.from({ length: 50 }, (_, j) => ({
      limit: 10,
      threshold: 1e-9 * (50 * i + j),
    }))
    const task = 'handle a subject and a topic'
    await Promise.all(asked.map((options) => index.resolveAside(task, { ...options, onRanked })))
  }
  for (let i = 0; i < 4; i++) {
    void index.resolveAside('a topic', { limit: 10, threshold: 0.1 + 1e-9 * i })
  }
  await Promise.resolve()
}
// Messages that the thread sends meanwhile arrive while the index is being closed.
const until = performance.now() + (thread === 'merge' ? 2000 : 100)
while (performance.now() < until);
await index.close()
console.log('closed')
