import SqliteConnection from 'better-sqlite3'
import { expect, test } from 'vitest'
import { reportFigure } from '../../support/rounds.ts'
import { patientDatabase } from './patient-database.ts'

const { db, url } = await patientDatabase('sqlite')

const add = (id: string) =>
  db.write((trx) =>
    trx
      .insertInto('agents')
      .values({ id, username: id, display_name: null, bio: null, created_at: 1 })
      .execute(),
  )

test('a write that waits for the lock of another process stops the event loop for less than 200 ms', async () => {
  const other = new SqliteConnection(url.slice('file:'.length))
  other.exec('begin immediate')
  setTimeout(() => other.exec('commit'), 700)
  const longest = await longestGap(() => add('patient'))
  other.close()
  reportFigure(`longest event loop gap beside a lock: ${longest.toFixed(0)} ms`)
  expect(longest).toBeLessThan(200)
})

test('500 concurrent writes stop the event loop no longer than 50 writes do, within 50 ms', async () => {
  const write = async (count: number) => {
    const gaps: number[] = []
    for (let attempt = 0; attempt < 5; attempt++) {
      const ids = Array.from({ length: count }, (_, i) => `${count}-${attempt}-${i}`)
      gaps.push(await longestGap(() => Promise.all(ids.map(add))))
    }
    return Math.min(...gaps)
  }
  const few = await write(50)
  const many = await write(500)
  reportFigure(
    `longest event loop gap: ${few.toFixed(0)} ms of 50 writes, ${many.toFixed(0)} ms of 500`,
  )
  expect(many).toBeLessThan(few + 50)
})

/** The longest time in ms that the event loop did not turn. */
async function longestGap(act: () => Promise<unknown>): Promise<number> {
  let last = performance.now()
  let longest = 0
  const look = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(look, 1)
  await act()
  look()
  clearInterval(timer)
  return longest
}
