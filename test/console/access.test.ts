import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openStage, type Stage, type Workspace } from './stage.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The first look at a view waits for functions that start. */
const UNHURRIED = { timeout: 8000 };
const THEMES = ['light', 'dark'] as const;

const click = (role: 'button' | 'link', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().click();

interface Sight {
  readonly of: string;
  readonly hash: string;
  readonly act?: (page: Page) => Promise<unknown>;
}

/** Each view, and what opens from it. */
const SIGHTS: readonly Sight[] = [
  { of: 'the suggestions', hash: '#/suggested' },
  { of: 'a decision to take back', hash: '#/suggested', act: click('button', /^Approve /) },
  { of: 'the question for a reason', hash: '#/suggested', act: click('button', /^Reject /) },
  {
    of: 'the summary of several',
    hash: '#/suggested',
    act: async (page) => {
      await page.getByRole('checkbox', { name: /^Select all/ }).check();
      await page.getByRole('button', { name: /^Approve \d/ }).click();
    },
  },
  { of: 'what is active', hash: '#/active' },
  {
    of: 'what is added, with its accounts',
    hash: '#/active',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add a memory' }).click();
      await page.getByRole('combobox', { name: 'Account' }).fill('software');
      await page
        .getByRole('option', { name: /^Software/ })
        .first()
        .waitFor();
    },
  },
  { of: 'what is repaired', hash: '#/active', act: click('button', /^Repair /) },
  { of: 'the door', hash: '#/suggested', act: click('button', 'Sign out') },
  { of: 'what has ended', hash: '#/archive' },
  { of: 'why nothing was learned', hash: '#/why?merchant=Shell&about=category' },
  { of: 'a detail', hash: '#/memory/', act: (page) => page.getByText('Each edit, in words').click() },
  { of: 'the overview', hash: '#/overview', act: (page) => page.getByText('The same as a table').click() },
];

describe.skipIf(!hasChromium)('the console in every sight of it', () => {
  let stage: Stage;
  let org: Workspace;
  let detail = '';
  let axe = '';
  beforeAll(async () => {
    [stage, axe] = await Promise.all([openStage(), readFile(AXE, 'utf8')]);
    org = await stage.org('org_access');
    await org.fill();
    detail = (await org.list('candidate')).find(({ dedupKey }) => dedupKey.includes('vercel'))?.id ?? '';
  }, 120_000);
  afterAll(async () => stage?.close());

  describe.each(THEMES)('in the %s theme', (theme) => {
    it.each(SIGHTS)('has nothing that axe finds fault with in $of', async ({ hash, act }) => {
      const page = await org.open(hash.endsWith('/') ? hash + detail : hash, { theme });
      page.setDefaultTimeout(8000);
      await expect.poll(() => page.locator('.spinner').count(), UNHURRIED).toBe(0);
      await act?.(page);
      expect(await faultsOf(page)).toEqual([]);
      await page.context().close();
    });
  });

  it.each(
    SIGHTS.filter(({ of }) =>
      /^(the suggestions|the overview|what is active|what has|why|a detail)/.test(of),
    ),
  )('needs no sideways scrolling on a phone for $of', async ({ hash, act }) => {
    const page = await org.open(hash.endsWith('/') ? hash + detail : hash, { width: 320, height: 640 });
    await expect.poll(() => page.locator('.spinner').count(), UNHURRIED).toBe(0);
    await act?.(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.context().close();
  });

  async function faultsOf(page: Page): Promise<readonly string[]> {
    // As an extension of the browser would: the page's own policy allows no script from outside.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axe });
    const { result } = await session.send('Runtime.evaluate', {
      expression: `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => JSON.stringify(violations.map(
        ({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 200) + ' ' + node.failureSummary).join(' | '))))`,
      awaitPromise: true,
      returnByValue: true,
    });
    return JSON.parse(String(result.value));
  }
});
