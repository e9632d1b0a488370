import { counted, Section } from '../ui/parts.tsx'

/** Number of words shown; the others can be expanded. */
const shownWords = 20

/** The weight of each word of a task, in descending order. */
export function TokenWeights({ weights }: { weights: Readonly<Record<string, number>> }) {
  const rows = Object.entries(weights).sort(([, a], [, b]) => b - a)
  const heaviest = rows[0]?.[1] ?? 0
  if (heaviest <= 0) return null
  const lighter = rows.length - shownWords
  return (
    <Section id="weights" title="How much each word counts" class="panel">
      <WeightTable rows={rows.slice(0, shownWords)} heaviest={heaviest} />
      {lighter > 0 && (
        <details>
          <summary>{counted(lighter, 'less important word')}</summary>
          <WeightTable rows={rows.slice(shownWords)} heaviest={heaviest} />
        </details>
      )}
      <p class="hint">
        The rarer a word is across all skills, the more it counts (its IDF). Words that the task
        only quotes or mentions in passing count less. Very common words are left out.
      </p>
    </Section>
  )
}

const WeightTable = ({ rows, heaviest }: { rows: [string, number][]; heaviest: number }) => (
  <table class="weights">
    <thead class="hidden">
      <tr>
        <th scope="col">Word</th>
        <th scope="col">Weight</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(([token, weight]) => (
        <tr>
          <th scope="row" dir="auto">
            {token}
          </th>
          <td>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect class="level" width={((weight / heaviest) * 100).toFixed(1)} height="6" />
            </svg>
            {weight.toFixed(2)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
