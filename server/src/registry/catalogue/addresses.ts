import type { Column } from '../columns/column.ts'
import { hashText } from '../columns/hashes.ts'
import { createSlotTable } from '../columns/slot-table.ts'

/** Where a skill is found: compared without case. */
export interface Address {
  readonly owner: string
  readonly repo: string
  readonly slug: string
}

/** The slots by the addresses of their skills. Of two at the same address the later one is found. */
export interface Addresses {
  /** The slot at an address; `addressOf` gives that of any slot. */
  find(address: Address, addressOf: (slot: number) => Address): number | undefined
  /** Gives a slot an address, which is taken from the slot that has it. */
  set(slot: number, address: Address, addressOf: (slot: number) => Address): void
  remove(slot: number): void
  restore(alive: Iterable<number>): void
}

/** `hashes` keeps the hash of each slot's address. */
export function createAddresses(hashes: Column): Addresses {
  const table = createSlotTable(hashes.get)

  const find: Addresses['find'] = (address, addressOf) => {
    const key = keyOf(address)
    return table.find(hashText(key)[0], (slot) => keyOf(addressOf(slot)) === key)
  }

  return {
    find,
    set(slot, address, addressOf) {
      const former = find(address, addressOf)
      if (former !== undefined) table.remove(former)
      hashes.set(slot, hashText(keyOf(address))[0])
      table.add(slot)
    },
    remove: (slot) => table.remove(slot),
    restore(alive) {
      for (const slot of alive) table.add(slot)
    },
  }
}

const keyOf = ({ owner, repo, slug }: Address) => `${owner}/${repo}/${slug}`.toLowerCase()
