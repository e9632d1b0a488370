import { IDF_POWER, IDF_PRIOR_SKILLS } from '../constants/constants.ts'

/** ln(1 + (N - df + ½)/(df + ½)): what a word that `df` of `size` skills hold tells. */
export function idf(size: number, df: number): number {
  return Math.log(1 + Math.max(0, size + IDF_PRIOR_SKILLS - df + 0.5) / (df + 0.5))
}

/** IDF, flattened: what scores use of words and stems. */
export function flatIdf(size: number, df: number): number {
  return idf(size, df) ** IDF_POWER
}
