import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openStage } from './stage.ts';

/** Takes the pictures of the README anew. */
const folder = fileURLToPath(new URL('./screens/', import.meta.url));
const stage = await openStage();
try {
  const org = await stage.org('org_demo');
  await org.fill();
  const uber = (await org.list('candidate')).find(
    ({ content }) => 'merchant' in content && content.merchant.startsWith('UBER'),
  );
  await mkdir(folder, { recursive: true });
  const pictures = [
    { name: 'suggested', hash: '#/suggested', theme: 'light', height: 800 },
    { name: 'detail', hash: `#/memory/${uber?.id}`, theme: 'light', height: 960 },
    { name: 'overview', hash: '#/overview', theme: 'dark', height: 800 },
  ] as const;
  for (const { name, hash, theme, height } of pictures) {
    const page = await org.open(hash, { theme, width: 1280, height });
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: `${folder}${name}.png` });
    await page.context().close();
  }
} finally {
  await stage.close();
}
