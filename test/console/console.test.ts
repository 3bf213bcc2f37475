import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RTL_NAME } from '../../infra/local/sample-workspace.ts';
import type { Memory } from '../../lib/domain/memory.ts';
import { hasChromium, openStage, type Stage, type Workspace } from './stage.ts';

if (!hasChromium) console.log('No Chromium is installed here, so the console is not driven.');

describe.skipIf(!hasChromium)('the memory console', () => {
  let stage: Stage;
  let orgs = 0;
  const pages: Page[] = [];
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(async () => stage?.close());

  const workspace = () => {
    orgs += 1;
    return stage.org(`org_console_${orgs}`);
  };
  const open = async (org: Workspace, hash: string, options: Parameters<Workspace['open']>[1] = {}) => {
    await Promise.all(pages.splice(0).map((page) => page.context().close()));
    const page = await org.open(hash, options);
    page.setDefaultTimeout(8000);
    pages.push(page);
    return page;
  };
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const sendNow = async (page: Page) => {
    await button(page, 'Send now').click();
    await page
      .locator('.notice.done', { hasText: /^(Approved|Rejected): / })
      .first()
      .waitFor();
  };
  const learn = (org: Workspace, merchant: string, to: string, documents = 3) =>
    org.correct(merchant, { category: { to } }, { documents });
  const stored = async (org: Workspace, status: string, merchant: string) =>
    (await org.list(status)).find(({ content }) => 'merchant' in content && content.merchant === merchant);
  const save = (org: Workspace, content: unknown, kind = 'canonical_mapping') =>
    org.call<{ memory: Memory }>('POST', '/memories', { kind, content });

  describe('signs in', () => {
    it('by itself on the local run, through the issuer, and keeps nothing but the session', async () => {
      const context = await stage.browser.newContext();
      const page = await context.newPage();
      const origins = new Set<string>();
      page.on('request', (request) => origins.add(new URL(request.url()).origin));
      await page.goto(`${stage.host.url}/console#/active`);
      await page.getByRole('heading', { name: 'Active', level: 1 }).waitFor();
      expect(page.url()).toMatch(/\/console#\/active$/);
      await page.getByText('u_demo').waitFor();
      expect([...origins]).toEqual([stage.host.url]);
      const kept = await page.evaluate(
        '[Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]',
      );
      expect(kept).toEqual([[], ['memory-console.session'], '']);
      await context.close();
    });

    it('again only when asked to, after signing out', async () => {
      const context = await stage.browser.newContext();
      const page = await context.newPage();
      await page.goto(`${stage.host.url}/console`);
      await button(page, 'Sign out').click();
      await page.getByText('You have signed out.').waitFor();
      await page.reload();
      await button(page, 'Sign in').click();
      await page.getByRole('heading', { name: 'Suggested', level: 1 }).waitFor();
      await context.close();
    });

    it('not with an answer that it did not ask for', async () => {
      const context = await stage.browser.newContext();
      const page = await context.newPage();
      await page.goto(`${stage.host.url}/console?code=stolen&state=other`);
      await page.getByText('does not belong to a sign-in').waitFor();
      await context.close();
    });

    it('anew when the service no longer takes the token', async () => {
      const page = await open(await workspace(), '#/suggested');
      await page.route('**/v1/**', (route) =>
        route.fulfill({ status: 401, json: { message: 'Unauthorized' } }),
      );
      await page.getByRole('link', { name: 'Active' }).click();
      await page.getByText('Your session has ended.').waitFor();
    });
  });

  describe('a suggestion', () => {
    it('is said in words, the strongest first, with its evidence', async () => {
      const org = await workspace();
      await Promise.all([learn(org, 'Shell', '6330'), learn(org, 'Vercel', '6120', 5)]);
      const page = await open(org, '#/suggested');
      const cards = page.locator('[data-memory]');
      await cards
        .first()
        .getByText(/5 of 5 documents, 2 people, since/)
        .waitFor();
      expect(await cards.locator('h2').allInnerTexts()).toEqual([
        expect.stringMatching(/Vercel.*Software subscriptions/s),
        expect.stringMatching(/Shell.*Vehicle fuel/s),
      ]);
    });

    it('is approved, and until it is sent there is a way back', async () => {
      const org = await workspace();
      await learn(org, 'Vercel', '6120');
      const page = await open(org, '#/suggested');
      await button(page, /^Approve Vercel/).click();
      await page.getByText('Nothing awaits review.').waitFor();
      await button(page, 'Undo').click();
      await button(page, /^Approve Vercel/).waitFor();
      expect(await stored(org, 'active', 'Vercel')).toBeUndefined();
      await button(page, /^Approve Vercel/).click();
      await sendNow(page);
      expect(await stored(org, 'active', 'Vercel')).toMatchObject({ status: 'active', updatedBy: 'u_demo' });
    });

    it('is sent by itself when nobody takes it back, also when the page is closed at once', async () => {
      const org = await workspace();
      await Promise.all([learn(org, 'Vercel', '6120'), learn(org, 'Shell', '6330')]);
      const page = await open(org, '#/suggested');
      await button(page, /^Approve Vercel/).click();
      await page.mouse.move(10, 400);
      await page.locator('.pending', { hasText: 'Approving: Vercel' }).waitFor();
      await expect.poll(() => stored(org, 'active', 'Vercel'), { timeout: 12_000 }).toBeDefined();
      await button(page, /^Approve Shell/).click();
      await page.goto('about:blank');
      await expect.poll(() => stored(org, 'active', 'Shell'), { timeout: 8000 }).toBeDefined();
    });

    it('is rejected with a reason', async () => {
      const org = await workspace();
      await learn(org, 'Vercel', '6130');
      const page = await open(org, '#/suggested');
      await button(page, /^Reject Vercel/).click();
      await page.getByLabel('Reason (optional)').fill('It is software');
      await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
      await sendNow(page);
      const memory = await stored(org, 'rejected', 'Vercel');
      expect(memory?.history.at(-1)).toMatchObject({ action: 'rejected', reason: 'It is software' });
    });

    it('is edited before it is approved, with an account that the resolver finds', async () => {
      const org = await workspace();
      await learn(org, 'Vercel', '6120');
      const page = await open(org, '#/suggested');
      await button(page, /^Edit Vercel/).click();
      await page.getByRole('combobox', { name: 'Account' }).fill('web hosting');
      await page.getByRole('option', { name: /^Web hosting/ }).waitFor();
      await page.keyboard.press('Enter');
      await button(page, 'Save and approve').click();
      await page.getByText('Saved: Vercel → Web hosting').waitFor();
      await page.getByText('Nothing awaits review.').waitFor();
      expect((await stored(org, 'active', 'Vercel'))?.content).toMatchObject({ account: { id: '6130' } });
    });

    it('that contradicts what is in use asks whether to change it', async () => {
      const org = await workspace();
      await save(org, { mapping: 'category', merchant: 'Hetzner', account: { id: '6120' } });
      await org.correct(
        'Hetzner',
        { category: { to: '6130' } },
        { documents: 3, daysAgo: 0, daysBetween: 0 },
      );
      const page = await open(org, '#/suggested');
      await page.getByText('change it?').waitFor();
      await page.getByText('Change it', { exact: true }).click();
      await sendNow(page);
      expect((await stored(org, 'active', 'Hetzner'))?.content).toMatchObject({ account: { id: '6130' } });
    });

    it('is worked through with the keyboard alone', async () => {
      const org = await workspace();
      await Promise.all([
        learn(org, 'Vercel', '6120', 5),
        learn(org, 'Shell', '6330', 4),
        learn(org, 'Uber', '6300'),
      ]);
      const page = await open(org, '#/suggested');
      await page.locator('[data-memory]').nth(2).waitFor();
      const at = () => page.evaluate<string>('document.activeElement?.closest("a")?.textContent ?? ""');
      while (!(await at()).includes('Vercel')) await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      expect(await at()).toContain('Shell');
      await page.keyboard.press('x');
      expect(await page.getByRole('checkbox', { name: /^Select Shell/ }).isChecked()).toBe(true);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('a');
      await expect.poll(at).toContain('Shell');
      await page.keyboard.press('u');
      await button(page, /^Approve Vercel/).waitFor();
      await page.keyboard.press('r');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      expect(await page.getByRole('dialog').count()).toBe(0);
      await expect.poll(at).toContain('Shell');
    });

    it('is decided on together with others, after a summary', async () => {
      const org = await workspace();
      await Promise.all([
        learn(org, 'Vercel', '6120'),
        learn(org, 'Shell', '6330'),
        learn(org, 'Uber', '6300'),
      ]);
      const page = await open(org, '#/suggested');
      await page.getByRole('checkbox', { name: /^Select all/ }).check();
      await page.getByRole('checkbox', { name: /^Select Uber/ }).uncheck();
      await button(page, 'Approve 2 …').click();
      const summary = page.getByRole('dialog');
      await summary.getByRole('listitem').nth(1).waitFor();
      expect(await summary.getByRole('listitem').count()).toBe(2);
      await summary.getByRole('button', { name: 'Approve 2' }).click();
      await sendNow(page);
      expect((await org.list('active')).map(({ status }) => status)).toEqual(['active', 'active']);
      expect(await org.list('candidate')).toHaveLength(1);
    });

    it('that changed meanwhile is left alone, shown as it is now, and asked about again', async () => {
      const org = await workspace();
      await learn(org, 'Vercel', '6130');
      const page = await open(org, '#/suggested');
      await button(page, /^Approve Vercel/).waitFor();
      await learn(org, 'Vercel', '6120', 20);
      await button(page, /^Approve Vercel/).click();
      await button(page, 'Send now').click();
      await page.getByText('This changed while you decided').waitFor();
      expect(await page.locator('[data-memory]').textContent()).toMatch(
        /Web hosting[\s\S]*Software subscriptions/,
      );
      expect(await org.list('active')).toEqual([]);
    });

    it('may be looked at, and not decided on, without the review permission', async () => {
      const org = await workspace();
      await learn(org, 'Vercel', '6120');
      const page = await open(org, '#/suggested', { scope: 'memories:read' });
      await page.getByText('needs the review permission').waitFor();
      expect(await button(page, /^Approve Vercel/).isDisabled()).toBe(true);
    });
  });

  describe('an active memory', () => {
    it('is added by hand: a merchant, and its account by what it is', async () => {
      const org = await workspace();
      const page = await open(org, '#/active');
      await button(page, 'Add a memory').click();
      await page.getByLabel('Merchant', { exact: true }).fill('Figma');
      await page.getByRole('combobox', { name: 'Account' }).fill('software subscriptions');
      await page.getByRole('option', { name: /^Software subscriptions/ }).click();
      await button(page, 'Save').click();
      await page.getByText('Saved: Figma → Software subscriptions').waitFor();
      await page.getByLabel('What should be remembered?').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: /Figma/ }).waitFor();
    });

    it('is given no account by Enter alone where it could be several', async () => {
      const page = await open(await workspace(), '#/active');
      await button(page, 'Add a memory').click();
      const account = page.getByRole('combobox', { name: 'Account' });
      await account.fill('software');
      await page.getByText('It could be one of several accounts').waitFor();
      await page.keyboard.press('Enter');
      expect(await account.inputValue()).toBe('software');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByText(/^Chosen: Software/).waitFor();
    });

    it('is not saved without an account, and says so', async () => {
      const page = await open(await workspace(), '#/active');
      await button(page, 'Add a memory').click();
      await page.getByLabel('Merchant', { exact: true }).fill('Figma');
      await page.getByRole('combobox', { name: 'Account' }).fill('something');
      await button(page, 'Save').click();
      await page.getByText('Choose an account from the list.').waitFor();
    });

    it('is added as labels, as a name or as a preference', async () => {
      const org = await workspace();
      const page = await open(org, '#/active');
      await button(page, 'Add a memory').click();
      await page.getByLabel('What should be remembered?').selectOption('labels');
      await page.getByLabel('Merchant', { exact: true }).fill('Costa');
      await page.getByLabel('Labels').fill('team lunch, personal');
      await button(page, 'Save').click();
      await page.getByText(/^Saved: Costa/).waitFor();
      await button(page, 'Add a memory').click();
      await page.getByLabel('What should be remembered?').selectOption('preference');
      await page
        .getByRole('textbox', { name: 'What should be remembered' })
        .fill('Always show totals as a table');
      await button(page, 'Save').click();
      await page.getByText(/^Saved: Always/).waitFor();
      expect((await org.list('active')).map(({ kind, scope }) => `${kind} ${scope}`).sort()).toEqual([
        'canonical_mapping org',
        'preference user',
      ]);
    });

    it('that was meant as a mapping is offered as one', async () => {
      const org = await workspace();
      const page = await open(org, '#/active');
      await button(page, 'Add a memory').click();
      await page.getByLabel('What should be remembered?').selectOption('preference');
      await page
        .getByRole('textbox', { name: 'What should be remembered' })
        .fill('classify Vercel as software subscriptions');
      await button(page, 'Save').click();
      await page.getByRole('alert').getByRole('button').first().click();
      await button(page, 'Save').click();
      await page.getByText('Saved: Vercel → Software subscriptions').waitFor();
    });

    it('is found while one types, and grouped by merchant', async () => {
      const org = await workspace();
      await save(org, { mapping: 'category', merchant: 'Figma', account: { id: '6120' } });
      await save(org, { mapping: 'labels', merchant: 'Figma', labels: ['design'] });
      await save(org, { mapping: 'category', merchant: 'Shell', account: { id: '6330' } });
      const page = await open(org, '#/active');
      await page.getByRole('link', { name: /Shell/ }).waitFor();
      await page.getByRole('searchbox').fill('FIG');
      await page.getByText('2 memories of 3').waitFor();
      await page.getByLabel('Group by').selectOption('merchant');
      expect(await page.locator('h2.group').allInnerTexts()).toEqual([expect.stringContaining('Figma')]);
      expect(page.url()).toContain('find=FIG');
    });

    it('is archived, and back with one press', async () => {
      const org = await workspace();
      await save(org, { mapping: 'labels', merchant: 'Figma', labels: ['design'] });
      const page = await open(org, '#/active');
      await button(page, /^Archive Figma/).click();
      await page.getByText('Archived: Figma').waitFor();
      expect(await stored(org, 'archived', 'Figma')).toBeDefined();
      await button(page, 'Undo').click();
      await page.getByText('Active again: Figma').waitFor();
      expect(await stored(org, 'active', 'Figma')).toBeDefined();
    });

    it('that somebody changed meanwhile is not archived unseen', async () => {
      const org = await workspace();
      await save(org, { mapping: 'labels', merchant: 'Figma', labels: ['design'] });
      const page = await open(org, '#/active');
      await button(page, /^Archive Figma/).waitFor();
      await save(org, { mapping: 'labels', merchant: 'Figma', labels: ['tools'] });
      await button(page, /^Archive Figma/).click();
      const asked = page.getByRole('dialog', { name: 'This has changed since you looked' });
      expect(await asked.textContent()).toMatch(/design[\s\S]*tools/);
      expect(await stored(org, 'active', 'Figma')).toBeDefined();
      await asked.getByRole('button', { name: 'Archive it anyway' }).click();
      await page.getByText('Archived: Figma').waitFor();
    });

    it('that somebody changed meanwhile is not saved over unseen', async () => {
      const org = await workspace();
      await save(org, { mapping: 'labels', merchant: 'Figma', labels: ['design'] });
      const page = await open(org, '#/active');
      await button(page, /^Edit Figma/).click();
      await page.getByLabel('Labels', { exact: true }).fill('mine');
      await save(org, { mapping: 'labels', merchant: 'Figma', labels: ['theirs'] });
      await button(page, 'Save').click();
      const asked = page.getByRole('dialog', { name: 'This has changed since you looked' });
      await asked.getByText('theirs').waitFor();
      expect((await stored(org, 'active', 'Figma'))?.content).toMatchObject({ labels: ['theirs'] });
      await asked.getByRole('button', { name: 'Save mine anyway' }).click();
      await page.getByText('Saved: Figma → mine').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('whose account is gone says so, and is repaired', async () => {
      const org = await workspace();
      await save(org, { mapping: 'category', merchant: 'Faxed', account: { id: '6600' } });
      await org.call('PUT', '/chart-of-accounts', {
        accounts: [{ id: '6120', name: 'Software subscriptions', type: 'expense' }],
      });
      const page = await open(org, '#/active');
      await page.getByText('1 memory cannot be used').waitFor();
      await button(page, /^Repair Faxed/).click();
      await page.getByRole('dialog').getByText('is not in the chart of accounts any more').waitFor();
      await page.getByRole('combobox', { name: 'Account' }).fill('software');
      await page.getByRole('option', { name: /^Software subscriptions/ }).click();
      await button(page, 'Save').click();
      await page.getByText('Saved: Faxed').waitFor();
      expect(await page.getByText('cannot be used').count()).toBe(0);
    });
  });

  describe('what has ended', () => {
    it('is restored', async () => {
      const org = await workspace();
      const { memory } = await save(org, { mapping: 'labels', merchant: 'Figma', labels: ['design'] });
      await org.call('POST', `/memories/${memory.id}/archive`, { reason: 'moved' });
      const page = await open(org, '#/archive');
      await page.getByText('moved').waitFor();
      await button(page, /^Restore Figma/).click();
      await page.getByText('Active again: Figma').waitFor();
      expect(await stored(org, 'active', 'Figma')).toBeDefined();
    });
  });

  describe('“Why not?”', () => {
    it('says what is known, and what is missing', async () => {
      const org = await workspace();
      await learn(org, 'Shell', '6330', 2);
      const page = await open(org, '#/why');
      await page.getByLabel('Merchant, as it is printed').fill('SHELL 4711');
      await button(page, 'Ask').click();
      await page.getByText('2 of the 3 documents that are needed say so.').waitFor();
      await page.getByRole('rowheader', { name: 'Vehicle fuel' }).waitFor();
    });

    it('says when a text names no merchant', async () => {
      const page = await open(await workspace(), '#/why?merchant=12345&about=category');
      await page.getByText('names no merchant').waitFor();
    });
  });

  describe('a detail', () => {
    it('tells what it does, its evidence and its history', async () => {
      const org = await workspace();
      await learn(org, 'Vercel', '6120', 4);
      const memory = await stored(org, 'candidate', 'Vercel');
      const page = await open(org, `#/memory/${memory?.id}`);
      await page.getByText('4 edits: 4 for').waitFor();
      await page.getByText('Each edit, in words').click();
      expect(await page.locator('.votes li').count()).toBe(4);
      await button(page, /^Approve Vercel/).click();
      await sendNow(page);
      await page.getByText('approved by u_demo').waitFor();
    });

    it('shows what a memory says as text, whatever it says', async () => {
      const org = await workspace();
      const text = '<img src=x onerror="document.title=1"><script>1</script> **hi**';
      await save(org, { text }, 'preference');
      const page = await open(org, '#/active');
      await page.getByText(text, { exact: true }).waitFor();
      expect(await page.locator('main img, main script').count()).toBe(0);
    });

    it('keeps a right-to-left name in its own direction', async () => {
      const org = await workspace();
      await learn(org, RTL_NAME, '6140');
      const page = await open(org, '#/suggested');
      await page.getByText(RTL_NAME).first().waitFor();
      const direction = await page.evaluate(
        "getComputedStyle(document.querySelector('bdi.about')).unicodeBidi",
      );
      expect(direction).toBe('isolate');
    });

    it('that is not there says so', async () => {
      const page = await stage.org('org_console_gone').then((org) => open(org, '#/suggested'));
      await page.evaluate("location.hash = '#/memory/none'");
      await page.getByText('There is no such memory.').waitFor();
    });
  });

  describe('the overview', () => {
    it('draws corrections a week and tells the same in a table', async () => {
      const org = await workspace();
      await learn(org, 'Vercel', '6120', 4);
      const page = await open(org, '#/overview');
      await page.getByText('4 corrections in twelve weeks; 0 of them').waitFor();
      await page.getByText('The same as a table').click();
      const total = await page.locator('tbody td:nth-last-child(3)').allInnerTexts();
      expect(total.map(Number).reduce((sum, n) => sum + n, 0)).toBe(4);
      expect(total).toHaveLength(12);
    });

    it('counts what was confirmed apart from what was corrected', async () => {
      const org = await workspace();
      await learn(org, 'Vercel', '6120', 3);
      await org.confirm('Vercel', '6120', { documents: 1 });
      const page = await open(org, '#/overview');
      await page.getByText('3 corrections in twelve weeks').waitFor();
      await page.getByText('1 time a person confirmed what was there.').waitFor();
    });
  });

  describe('without a connection', () => {
    it('says so, and decides nothing', async () => {
      const org = await workspace();
      await learn(org, 'Vercel', '6120');
      const page = await open(org, '#/suggested');
      await button(page, /^Approve Vercel/).waitFor();
      await page.context().setOffline(true);
      await page.getByText('You are offline.').first().waitFor();
      expect(await button(page, /^Approve Vercel/).isDisabled()).toBe(true);
      await page.context().setOffline(false);
      await expect.poll(() => button(page, /^Approve Vercel/).isDisabled()).toBe(false);
    });

    it('offers to try again when the service does not answer', async () => {
      const page = await open(await workspace(), '#/suggested');
      await page.route('**/v1/memories?**', (route) => route.abort());
      await page.getByRole('link', { name: 'Active' }).click();
      await page.getByText('The service cannot be reached.').waitFor();
      await page.unroute('**/v1/memories?**');
      await button(page, 'Try again').click();
      await page.getByText('Nothing is active yet.').waitFor();
    });
  });
});
