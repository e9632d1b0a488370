/** A sample for logistic regression. */
interface Sample {
  features: readonly number[]
  right: 0 | 1
  weight: number
}

export function logitOf(weights: readonly number[], features: readonly number[]): number {
  return features.reduce((sum, feature, i) => sum + feature * (weights[i] ?? 0), 0)
}

export function probability(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

/** Logistic regression by Newton's method; `ridge` draws all weights to zero. */
export function fitLogistic(samples: readonly Sample[], ridge: number): number[] {
  const width = samples[0]?.features.length ?? 0
  const weights = new Array<number>(width).fill(0)
  for (let round = 0; round < 25; round++) {
    const gradient = weights.map((weight) => -ridge * weight)
    const hessian = weights.map((_, i) => weights.map((_, j) => (i === j ? ridge : 0)))
    for (const { features, right, weight } of samples) {
      const p = probability(logitOf(weights, features))
      const slope = weight * p * (1 - p)
      for (let i = 0; i < width; i++) {
        const feature = features[i] as number
        // most features are those of other sizes
        if (feature === 0) continue
        gradient[i] = (gradient[i] as number) + weight * (right - p) * feature
        const row = hessian[i] as number[]
        for (let j = 0; j < width; j++) {
          row[j] = (row[j] as number) + slope * feature * (features[j] as number)
        }
      }
    }
    const step = solve(hessian, gradient)
    for (let i = 0; i < width; i++) weights[i] = (weights[i] as number) + (step[i] as number)
  }
  return weights
}

/** Gaussian elimination; the matrix is positive definite, so it needs no pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] as number])
  const width = right.length
  rows.forEach((pivot, i) => {
    for (let k = i + 1; k < width; k++) {
      const row = rows[k] as number[]
      const factor = (row[i] as number) / (pivot[i] as number)
      for (let j = i; j <= width; j++) row[j] = (row[j] as number) - factor * (pivot[j] as number)
    }
  })
  const solution = new Array<number>(width).fill(0)
  for (let i = width - 1; i >= 0; i--) {
    const row = rows[i] as number[]
    let value = row[width] as number
    for (let j = i + 1; j < width; j++) value -= (row[j] as number) * (solution[j] as number)
    solution[i] = value / (row[i] as number)
  }
  return solution
}
