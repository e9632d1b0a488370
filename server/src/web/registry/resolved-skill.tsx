import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { serializeTrust } from '../../catalogue/serialize.ts'
import { counted, Facts, percent } from '../ui/parts.tsx'
import { type ResolvedSkill, skillPath } from './data.ts'
import { About, CopyOf, Counts, TrustGlance } from './skill-list.tsx'

/** Numbers of words that an explanation lists, and that its summary names. */
const [wordsShown, wordsNamed] = [12, 6]

type RowProps = { ctx: RegistryContext; hit: ResolvedSkill; rank: number }

export function ResolvedSkillRow({ ctx, hit, rank }: RowProps) {
  const { skill, score, confidence, explanation, copyOf } = hit
  const record = ctx.catalogue.get(skill.id)
  const path = skillPath(skill)
  const [id, shown] = [`confidence-${rank}`, percent(confidence)]
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
        <li>
          <a href={`${path}?format=md`}>
            Markdown<span class="hidden"> of {skill.name}</span>
          </a>
        </li>
      </ul>
      <Explanation {...explanation} score={score} />
    </li>
  )
}

/** The words of the task that a skill contains, by weight, and where it contains them. */
function Explanation({
  tokens,
  coverage,
  missing,
  score,
}: ResolvedSkill['explanation'] & { score: number }) {
  const heaviest = [...tokens].sort((a, b) => b.weight - a.weight).slice(0, wordsShown)
  return (
    <details class="why">
      <summary>
        Matches{' '}
        {heaviest.slice(0, wordsNamed).map(({ token }, at) => [at > 0 && ', ', <b>{token}</b>])}
        {tokens.length > wordsNamed && ` and ${counted(tokens.length - wordsNamed, 'more word')}`}
      </summary>
      <Facts
        facts={[
          ...heaviest.map(({ token, fields }) => [token, fields.join(', ')] as const),
          ['Not found', missing.join(', ')],
          ['Covered', `${percent(coverage)} of the task by name, slug, tags and description`],
          ['Score', score.toFixed(3)],
        ]}
      />
    </details>
  )
}
