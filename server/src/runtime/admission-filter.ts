/** Remembers what was asked lately, so that only what comes again needs an answer kept. */
export type AskedLately = (key: string) => boolean

/**
 * Says whether a key was asked since about `places` others, a power of 2; from now on it was. Each key
 * has one place, which the next that hashes to it takes: keys are forgotten by chance.
 */
export function createAskedLately(places: number): AskedLately {
  const asked = new Int32Array(places)
  return (key) => {
    const hash = hashOf(key)
    const place = hash & (places - 1)
    const isKnown = asked[place] === hash
    asked[place] = hash
    return isKnown
  }
}

/** FNV-1a over the characters, with its high bits mixed into the low ones. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 16777619)
  return hash ^ (hash >>> 15)
}
