import { type LoadClass, loadClasses } from './load-class.ts'

/** Requests that wait for their turn of the event loop. */
export interface Line {
  /** Begins a request, at once or when it is its turn. */
  join(name: LoadClass, begin: () => void): void
  /** Notes that a connection was accepted. */
  connected(): void
}

/** Begun in one turn of the event loop: one, and then so many at most while the turn is shorter than so many ms. */
const turn = { most: 16, ms: 8 }

/** Time for which nothing is begun while connections keep coming, ms. */
const acceptMs = 5

/**
 * Spreads requests over turns of the event loop, a class after the other. Node 20 accepts one connection a
 * turn (libuv, since 1.45): if all that was read were begun in the same turn, turns would grow with the
 * load, and most connections would wait in the kernel, unseen, until their callers have left.
 */
export function createLine(): Line {
  const queues = new Map(loadClasses.map((name) => [name, [] as (() => void)[]] as const))
  let length = 0
  let [isOpen, planned] = [false, 0]
  /** Of this turn: when the one before had begun what it could, and whether this one begins anything. */
  let [since, begins] = [0, true]
  let [accepted, seen, acceptedSince] = [0, 0, 0]

  return {
    join(name, begin) {
      if (isOpen) {
        queues.get(name)?.push(begin)
        length++
      } else {
        isOpen = true
        plan()
        since = performance.now()
        begin()
      }
    },
    connected() {
      accepted++
    },
  }

  function plan(): void {
    planned = Math.max(1, Math.min(length, turn.most))
    // Immediates, so that what a request leaves to be done at once is done before the next one begins.
    setImmediate(first)
    for (let i = 1; i < planned; i++) setImmediate(step)
  }

  /** One begins in every turn, however long it has taken so far. */
  function first(): void {
    begins = !isAccepting(performance.now())
    if (begins) next()?.()
    end()
  }

  function step(): void {
    if (begins && performance.now() - since < turn.ms) next()?.()
    end()
  }

  function end(): void {
    planned--
    if (planned > 0) return
    since = performance.now()
    if (length > 0) plan()
    else isOpen = false
  }

  function isAccepting(now: number): boolean {
    const isMore = accepted !== seen
    seen = accepted
    if (isMore && acceptedSince === 0) acceptedSince = now
    const is = isMore && now - acceptedSince < acceptMs
    if (!is) acceptedSince = 0
    return is
  }

  function next(): (() => void) | undefined {
    for (const [name, queue] of queues) {
      const begin = queue.shift()
      if (!begin) continue
      length--
      // To the end, so that it is the others' turn.
      queues.delete(name)
      queues.set(name, queue)
      return begin
    }
    return undefined
  }
}
