import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Returns axe's violations. The dark scheme changes only colors, so only its contrast is checked.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const find = (rules?: string[]) =>
    page.evaluate(async (runOnly) => {
      const { axe: injected } = window as unknown as { axe: typeof axe }
      const { violations } = await injected.run(runOnly ? { runOnly } : {})
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    }, rules)
  const emulate = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme })
    // Scripts learn of the change in the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    await page.evaluate(() => {
      // Half faded colors have less contrast, for longer on a slow machine.
      for (const animation of document.getAnimations()) {
        if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish()
      }
    })
  }
  await emulate('light')
  const light = await find()
  await emulate('dark')
  return [...light, ...(await find(['color-contrast']))]
}
