import { benchFloor } from './floor.ts'
import { benchRates } from './rates.ts'

const benches = { floor: benchFloor, rates: benchRates }

/** Writes acknowledged a second: beside a bare handler, and by connections and nodes on both engines. */
export async function benchWrites(parts?: readonly string[]): Promise<void> {
  for (const [name, run] of Object.entries(benches)) {
    if (parts?.includes(name) ?? true) await run()
  }
}
