import { IDF_POWER, IDF_PRIOR_SKILLS } from '../constants/constants.ts'

/** Returns ln(1 + (N + prior - df + ½) / (df + ½)) for a word in `df` of N = `size` skills. */
export function idf(size: number, df: number): number {
  return Math.log(1 + Math.max(0, size + IDF_PRIOR_SKILLS - df + 0.5) / (df + 0.5))
}

/** Returns IDF to the power `IDF_POWER`, as used for words and stems. */
export function flatIdf(size: number, df: number): number {
  return idf(size, df) ** IDF_POWER
}
