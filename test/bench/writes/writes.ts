import { benchFloor } from './floor.ts'
import { benchRates } from './rates.ts'

const parts = { floor: benchFloor, rates: benchRates }

/** Writes acknowledged a second: beside a bare handler, and by connections and nodes on both engines. */
export async function benchWrites(options: { before?: string; parts?: string }): Promise<void> {
  const wanted = options.parts?.split(',')
  for (const [name, run] of Object.entries(parts)) {
    if (wanted?.includes(name) ?? true) await run(options)
  }
}
