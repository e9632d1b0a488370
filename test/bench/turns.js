import { existsSync, openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into a server: answers each message with the most CPU time, in milliseconds, that its main
 * thread spent within one turn of its event loop since the last; measuring begins with the first. Other
 * threads and processes on the same core make turns longer, but not this. The kernel counts in ticks,
 * so it may be some milliseconds off; where it does not tell (Linux does), the answer is no number. Plain
 * JavaScript, as bare-express.js is.
 */
if (isMainThread && process.send) {
  const path = '/proc/thread-self/schedstat'
  const intervalMs = 1
  const buffer = Buffer.alloc(128)
  let file
  let before = 0
  let longest = 0

  /** Nanoseconds that this thread has run. */
  const spent = () => Number.parseInt(buffer.latin1Slice(0, readSync(file, buffer, 0, 128, 0)), 10)

  const begin = () => {
    file = openSync(path)
    before = spent()
    setInterval(() => {
      const now = spent()
      longest = Math.max(longest, now - before)
      before = now
    }, intervalMs).unref()
  }

  process.on('message', () => {
    if (file === undefined && existsSync(path)) begin()
    process.send(file === undefined ? 'none' : longest / 1e6)
    longest = 0
  })
  process.channel.unref()
}
