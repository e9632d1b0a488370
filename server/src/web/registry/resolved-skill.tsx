import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { serializeTrust } from '../../catalogue/serialize.ts'
import { counted, Facts, percent } from '../ui/parts.tsx'
import { type ResolvedSkill, skillPath } from './data.ts'
import { About, CopyOf, Counts, TrustGlance } from './skill-list.tsx'

/** Number of words that an explanation lists; words of lower weight are only counted. */
const wordsShown = 12

type RowProps = { ctx: RegistryContext; hit: ResolvedSkill; rank: number }

export function ResolvedSkillRow({ ctx, hit, rank }: RowProps) {
  const { skill, score, confidence, explanation, copyOf } = hit
  const record = ctx.catalogue.get(skill.id)
  const path = skillPath(skill)
  const [id, shown] = [`confidence-${rank}`, confidence.toFixed(2)]
  return (
    <li>
      <h3>
        <span class="rank">{rank}.</span>{' '}
        <a href={path} dir="auto">
          {skill.name}
        </a>
      </h3>
      <div class="confidence">
        <label for={id}>Confidence</label> <strong>{shown}</strong>
        <meter id={id} min={0} max={1} value={confidence}>
          {shown}
        </meter>
      </div>
      <About skill={skill} />
      <CopyOf original={copyOf} class="copy" />
      <ul class="glance">
        <li>{record && <TrustGlance trust={serializeTrust(ctx, record)} />}</li>
        <Counts skill={skill} />
        <li>Score {score.toFixed(3)}</li>
        <li>
          <a href={`${path}?format=md`}>
            Markdown<span class="hidden"> of {skill.name}</span>
          </a>
        </li>
      </ul>
      <Explanation {...explanation} open={rank === 1} />
    </li>
  )
}

type ExplanationProps = ResolvedSkill['explanation'] & { open: boolean }

/** Lists the fields that contain each word of the task, by weight, and the words found nowhere. */
function Explanation({ tokens, coverage, missing, open }: ExplanationProps) {
  const heaviest = [...tokens].sort((a, b) => b.weight - a.weight).slice(0, wordsShown)
  const lighter = tokens.length - heaviest.length
  return (
    <details class="why" open={open}>
      <summary>Why: name, slug, tags and description cover {percent(coverage)} of the task</summary>
      <Facts facts={heaviest.map(({ token, fields }) => [token, fields.join(', ')])} />
      {lighter > 0 && <p class="muted">and {counted(lighter, 'less important word')}</p>}
      {missing.length > 0 && (
        <p>
          <span class="muted">Not found:</span> <span dir="auto">{missing.join(', ')}</span>
        </p>
      )}
    </details>
  )
}
