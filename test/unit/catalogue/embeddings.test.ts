import { loadConfig } from '@skillpass/server/config/config'
import { blend } from '@skillpass/server/registry/embeddings/blend'
import { createCircuit } from '@skillpass/server/registry/embeddings/circuit'
import { clip } from '@skillpass/server/registry/embeddings/skill-text'
import { cosine, quantise } from '@skillpass/server/registry/embeddings/vector'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../support/clock.ts'

describe('vectors', () => {
  const number = fc.double({ min: -1, max: 1, noNaN: true })
  const pair = fc
    .integer({ min: 8, max: 400 })
    .chain((length) =>
      fc.tuple(
        fc.array(number, { minLength: length, maxLength: length }),
        fc.array(number, { minLength: length, maxLength: length }),
      ),
    )
    .filter((vectors) => vectors.every((vector) => Math.hypot(...vector) > 1))

  const exactCosine = (a: number[], b: number[]) =>
    a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b))

  test('quantised vectors keep the cosines of their numbers to 0.02', () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        expect(Math.abs(cosine(quantise(a), quantise(b)) - exactCosine(a, b))).toBeLessThan(0.02)
      }),
    )
  })

  test('quantised vectors keep their direction whatever their length', () => {
    fc.assert(
      fc.property(pair, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), ([a, b], factor) => {
        const scaled = quantise(a.map((x) => x * factor))
        expect(cosine(scaled, quantise(b))).toBeCloseTo(cosine(quantise(a), quantise(b)), 2)
      }),
    )
  })

  test('a vector of zeros resembles no other', () => {
    expect(cosine(quantise([0, 0]), quantise([1, 0]))).toBe(0)
  })
})

describe('the blend of score and meaning', () => {
  const score = fc.double({ min: 0.1, max: 10, noNaN: true })
  const share = fc.double({ min: -1, max: 1, noNaN: true })
  const candidates = fc.array(fc.tuple(score, share), { minLength: 2, maxLength: 100 })

  test('the blend keeps the order of scores if all meanings are equally near', () => {
    fc.assert(
      fc.property(fc.array(score, { minLength: 2 }), share, (scores, meaning) => {
        const blended = blend(
          scores,
          scores.map(() => meaning),
          1,
        )
        for (let i = 1; i < scores.length; i++) {
          const [before = 0, after = 0] = [scores[i - 1], scores[i]]
          const [one = 0, other = 0] = [blended[i - 1], blended[i]]
          if (before > after) expect(one).toBeGreaterThanOrEqual(other)
        }
      }),
    )
  })

  test('the blend never ranks a skill behind one that has a lower score and a lower cosine', () => {
    fc.assert(
      fc.property(candidates, fc.double({ min: 0, max: 10, noNaN: true }), (all, weight) => {
        const blended = blend(
          all.map(([own]) => own),
          all.map(([, cosine]) => cosine),
          weight,
        )
        all.forEach(([own, cosine], i) => {
          all.forEach(([other, otherCosine], j) => {
            if (own < other || cosine < otherCosine) return
            expect(blended[i] ?? 0).toBeGreaterThanOrEqual((blended[j] ?? 0) - 1e-9)
          })
        })
      }),
      { numRuns: 30 },
    )
  })

  test('the blend counts a skill without a vector as the mean of the others', () => {
    const [best = 0, without = 0, worst = 0] = blend([1, 1, 1], [0.9, undefined, 0.1], 0.5)
    expect([best, without, worst]).toEqual([1.5, 1.25, 1])
  })

  test('the blend does not stretch small differences of cosines', () => {
    const [one = 0, other = 0] = blend([1, 1], [0.81, 0.8], 1)
    expect(one - other).toBeCloseTo(0.1, 10)
  })
})

test('a circuit pauses after failures in a row, longer each time, and tries once after each pause', () => {
  const clock = createTestClock()
  const random = { bytes: () => new Uint8Array([255]), uuid: () => '' }
  const circuit = createCircuit({ clock, random }, { tolerated: 2, first: 100, longest: 300 })
  expect([circuit.mayTry(), circuit.failed()]).toEqual([true, false])
  circuit.succeeded()
  expect([circuit.failed(), circuit.mayTry()]).toEqual([false, true])
  expect([circuit.failed(), circuit.mayTry()]).toEqual([true, false])
  const pauses = [100, 200, 300, 300].map((longest) => {
    let waited = 0
    for (; !circuit.mayTry(); waited += 25) clock.advance(25)
    expect(circuit.mayTry()).toBe(false)
    expect(circuit.failed()).toBe(false)
    return waited <= longest * 1.25 && waited >= longest * 0.75
  })
  expect(pauses).toEqual([true, true, true, true])
  clock.advance(400)
  expect(circuit.mayTry()).toBe(true)
  circuit.succeeded()
  expect([circuit.mayTry(), circuit.mayTry(), circuit.failed()]).toEqual([true, true, false])
})

test('a clipped text ends with a whole character', () => {
  for (const before of ['', 'x']) {
    expect(clip(before + '🧩'.repeat(2000)).isWellFormed()).toBe(true)
  }
  expect(clip('short')).toBe('short')
  expect(clip('x'.repeat(3000))).toHaveLength(2000)
})

describe('the configuration of embeddings', () => {
  test('embeddings are off without EMBEDDINGS_URL', () => {
    const { embeddings } = loadConfig({ EMBEDDINGS_MODEL: 'm', EMBEDDINGS_WEIGHT: '1' })
    expect(embeddings).toBeUndefined()
  })

  test.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1/embeddings'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1/embeddings'],
    ['https://models.example/api/embed', 'https://models.example/api/embed'],
  ])('EMBEDDINGS_URL=%s calls %s', (given, url) => {
    expect(loadConfig({ EMBEDDINGS_URL: given }).embeddings).toEqual({
      url,
      model: undefined,
      apiKey: undefined,
      patience: 150,
      weight: 0.5,
    })
  })

  test.each([
    ['EMBEDDINGS_URL', 'file:model'],
    ['EMBEDDINGS_URL', 'http://user:pass@host/'],
    ['EMBEDDINGS_API_KEY', 'two words'],
    ['EMBEDDINGS_API_KEY', 'line\nbreak'],
    ['EMBEDDINGS_WEIGHT', '-1'],
    ['EMBEDDINGS_WEIGHT', '11'],
    ['EMBEDDINGS_WEIGHT', '1e1'],
    ['EMBEDDINGS_TIMEOUT_MS', '0'],
    ['EMBEDDINGS_TIMEOUT_MS', '0.5'],
  ])('the configuration refuses %s=%j and names the variable', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(name)
  })
})
