import { bounds, ReportSubmission, type reportReasons } from '@skillpass/contract'
import { type Request, Router } from 'express'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { addressOf, skillUrl } from '../../catalogue/serialize.ts'
import { Failure } from '../../errors/failure.ts'
import { readFormText } from '../../http/body.ts'
import { limitPages } from '../../http/rate-limit.ts'
import { getReadersReport, submitReadersReport } from '../../moderation/reports.ts'
import { forRequest } from '../../runtime/context.ts'
import { findMoved } from '../../skills/moves.ts'
import {
  accountHeaders,
  type Handler,
  pageRouter,
  readQuery,
  redirect,
  requireOwnHost,
  show,
} from '../account/page.ts'
import { AccountPage } from '../ui/account.tsx'
import { describeFields, type FieldIssues, Notice, PostForm } from '../ui/fields.tsx'
import { capitalize, Facts, sentence, Time } from '../ui/parts.tsx'

type SkillRecord = NonNullable<ReturnType<RegistryContext['catalogue']['get']>>
type Reason = (typeof reportReasons)[number]

const reasons: Record<Reason, string> = {
  malicious: 'It steals secrets, destroys data or tricks an agent.',
  spam: 'It advertises something, or does nothing.',
  copyright: 'It uses a work without permission.',
  impersonation: 'It pretends to come from somebody else.',
  other: 'Anything else the operator should know.',
}

const fields = describeFields({
  reason: { label: 'What is the problem?', options: reasons },
  text: {
    label: 'What did you see?',
    hint: `Name the line or the file. At most ${bounds.reportText} characters.`,
    rows: 5,
    prose: true,
    required: true,
    maxLength: bounds.reportText,
  },
})

const formPath = '/:owner/:repo/:skill/report'
const statusPath = '/reports'

/** The form with which readers report a skill, and the page that shows them the decision. */
export function reportPages(ctx: RegistryContext): Router {
  const router = Router()
  const skillOf = async (req: Request): Promise<SkillRecord> => {
    const { params } = req
    const [owner = '', repo = '', skill = ''] = [params.owner, params.repo, params.skill].map(
      String,
    )
    const seen = forRequest(ctx, req)
    return seen.catalogue.at(owner, repo, skill) ?? findMoved(seen, { owner, repo, skill })
  }
  const form: Handler = async ({ req }) =>
    show(formPage(req.path, await skillOf(req), { reason: 'malicious', text: '' }))
  const submit: Handler = async ({ req, form }) => {
    const skill = await skillOf(req)
    const given = fields.read(form)
    const values = { ...given, text: given.text.replaceAll('\r\n', '\n') }
    const read = ReportSubmission.safeParse(values)
    const refuse = (status: number, issues: FieldIssues) =>
      show(formPage(req.path, skill, values, issues), status)
    if (!read.success) {
      return refuse(400, { text: sentence(read.error.issues[0]?.message ?? 'is missing') })
    }
    try {
      const secret = await submitReadersReport(forRequest(ctx, req), skill, read.data)
      return redirect(`${statusPath}?key=${secret}`)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'CONFLICT') throw error
      return refuse(409, { '': error.message })
    }
  }
  const status: Handler = async ({ req }) => show(await statusPage(ctx, readQuery(req, 'key')))
  router.all([formPath, statusPath], (_req, res, next) => {
    res.set(accountHeaders())
    next()
  })
  router.all([formPath, statusPath], limitPages(ctx), requireOwnHost(ctx.config), readFormText)
  router.post(formPath, limitPages(ctx, 'report'))
  router.use(
    pageRouter(ctx, { [formPath]: { get: form, post: submit }, [statusPath]: { get: status } }),
  )
  return router

  function formPage(
    action: string,
    skill: SkillRecord,
    values: { reason: Reason; text: string },
    issues: FieldIssues = {},
  ) {
    const field = fields.show(values, issues)
    return (
      <AccountPage title={`Report ${skill.name}`} class="sheet">
        <header>
          <h1>
            Report <span dir="auto">{skill.name}</span>
          </h1>
          <p class="mono">
            <a href={new URL(skillUrl(ctx, skill)).pathname}>{addressOf(skill)}</a>
          </p>
        </header>
        <p>
          Your report goes to the operator of this registry, not to the publisher. You need no
          account. The next page has an address where you can read what the operator decides.
        </p>
        <PostForm action={action} class="stack" issues={issues} submit="Send the report">
          {field('reason')}
          {field('text')}
        </PostForm>
      </AccountPage>
    )
  }
}

async function statusPage(ctx: RegistryContext, secret: string) {
  const { owner, repo, slug, ...report } = await getReadersReport(ctx, secret)
  const address = `${owner}/${repo}/${slug}`
  return (
    <AccountPage title="Your report" class="sheet">
      <h1>Your report</h1>
      <Notice>
        {report.resolvedAt === null
          ? 'The operator has your report and has not decided yet. Keep the address of this page: it shows the decision, and nobody else has it.'
          : `The operator has decided. ${report.decision || 'Your report is closed.'}`}
      </Notice>
      <Facts
        facts={[
          ['Skill', <a href={`/${address}`}>{address}</a>],
          ['Problem', capitalize(report.reason)],
          ['You wrote', report.text],
          ['Sent', <Time at={report.createdAt} />],
          ['Decided', report.resolvedAt !== null && <Time at={report.resolvedAt} />],
        ]}
      />
      <p class="muted">The address of this page</p>
      <code class="command">{`${ctx.config.baseUrl}${statusPath}?key=${secret}`}</code>
    </AccountPage>
  )
}
